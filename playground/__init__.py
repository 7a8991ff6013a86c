"""The map: the rooms in the order in which a read meets them.

upstream    network in, reads out
relay       a request becomes a run; sinks, deadlines, stopping
coding      content coding undone
sse         bytes -> rows
formats     rows -> updates
transcript  updates -> what was said
latency     when it came; lint: what is wrong with it
pipeline    a Read in, a Step out: the corridor through those above
recordings  what is kept, and reads out of it again
live        steps out to viewers
messages    what travels between server and browser
runs        start, stop, catch up: where relay, recordings and live meet
web         doors for people
gateway     the built-in upstream; lens writes its events
management  doors on the command line: play, read, export, import, rebuild
"""
