"""What an export takes and what a kind of export is. Implemented by the files beside; listed in __init__.py."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from playground.coding import Coding
from playground.reads import Head, Read
from playground.recordings.records import HeadRecord, ReadRecord, Record


@dataclass(frozen=True, slots=True)
class TakenLane:
    """`head` without the request's body. `over`: the lane had its end when it was taken."""

    number: int
    format: str
    head: Head
    over: bool


@dataclass(frozen=True, slots=True)
class Taken:
    """A session, or some of its lanes. `read` begins its records anew: all, lanes interleaved, or those of one lane.

    While a lane streams every reading may bring more than the one before. `left_out`: what a link leaves out.
    `is_title_asked`: the title was made of what was asked.
    """

    title: str
    created: float | None
    lanes: Sequence[TakenLane]
    read: Callable[[int | None], Iterator[Record]]
    left_out: Sequence[str] = ()
    is_title_asked: bool = False

    @property
    def over(self) -> bool:
        return all(lane.over for lane in self.lanes)

    def records(self) -> Iterator[Record]:
        """All of it, in the order of its times."""
        return self.read(self.lanes[0].number if len(self.lanes) == 1 else None)

    def only(self, lane: TakenLane) -> Taken:
        return replace(self, lanes=[lane])


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of export. `purpose`: one line on what it is for, for the menu. `write` gives the file in pieces.

    `one_lane`: a file holds one lane; of several `write` is called for each, and the files are zipped.
    """

    name: str
    title: str
    purpose: str
    suffix: str
    media_type: str
    write: Callable[[Taken], Iterator[bytes]]
    one_lane: bool = False


def reads_of(taken: Taken, lane: TakenLane) -> Iterator[Read]:
    for record in taken.read(lane.number):
        if isinstance(record, ReadRecord):
            yield record.read


def decoded(taken: Taken, lane: TakenLane) -> Iterator[bytes]:
    """The lane's body with its content coding undone, read by read."""
    coding = Coding(lane.head.header("content-encoding"))
    for read in reads_of(taken, lane):
        yield coding.feed(read.body)
    yield coding.end()


def request_of(taken: Taken, lane: TakenLane) -> HeadRecord:
    """The head with the request's body. Raises LookupError when the lane is gone."""
    for record in taken.read(lane.number):
        if isinstance(record, HeadRecord):
            return record
    raise LookupError(f"lane {lane.number}")
