// The official Node clients as judges. On stdin: {url, headers, cases: [{format, request, whole}]}; on stdout a list of
// {text, reasoning, calls, finish, usage, raised}, one for each case. Run by tests/support/node_judges.py.

import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";

const readers = { chat, messages, responses };

async function chat({ openai }, request, whole, got) {
  let completion;
  if (whole) {
    completion = await openai.chat.completions.create(request);
  } else {
    const stream = openai.chat.completions.stream(request);
    stream.on("content", (delta) => { got.text += delta; });
    completion = await stream.finalChatCompletion();
  }
  const [choice] = completion.choices;
  got.text = choice.message.content ?? "";
  got.refusal = choice.message.refusal ?? "";
  got.calls = (choice.message.tool_calls ?? []).map((call) => [call.function.name, JSON.parse(call.function.arguments)]);
  got.finish = choice.finish_reason;
  got.usage = [completion.usage.prompt_tokens, completion.usage.completion_tokens];
}

async function messages({ anthropic }, request, whole, got) {
  let message;
  if (whole) {
    message = await anthropic.messages.create(request);
  } else {
    const stream = anthropic.messages.stream(request);
    stream.on("text", (delta) => { got.text += delta; });
    message = await stream.finalMessage();
  }
  const of = (type) => message.content.filter((block) => block.type === type);
  got.text = of("text").map((block) => block.text).join("");
  got.calls = of("tool_use").map((block) => [block.name, block.input]);
  got.finish = message.stop_reason;
  got.usage = [message.usage.input_tokens, message.usage.output_tokens];
}

async function responses({ openai }, request, whole, got) {
  let response;
  if (whole) {
    response = await openai.responses.create(request);
  } else {
    const stream = openai.responses.stream(request);
    stream.on("response.output_text.delta", (event) => { got.text += event.delta; });
    response = await stream.finalResponse();
  }
  const parts = response.output.filter((item) => item.type === "message").flatMap((item) => item.content);
  got.text = response.output_text;
  got.refusal = parts.filter((part) => part.type === "refusal").map((part) => part.refusal).join("");
  got.calls = response.output
    .filter((item) => item.type === "function_call")
    .map((item) => [item.name, JSON.parse(item.arguments)]);
  got.finish = response.status;
  got.usage = [response.usage.input_tokens, response.usage.output_tokens];
}

let input = "";
for await (const piece of process.stdin) input += piece;
const { url, headers, cases } = JSON.parse(input);
const options = { apiKey: "any", defaultHeaders: headers, maxRetries: 0 };
const clients = {
  openai: new OpenAI({ ...options, baseURL: `${url}/v1` }),
  anthropic: new Anthropic({ ...options, baseURL: url }),
};
const judged = [];
for (const { format, request, whole } of cases) {
  const got = { text: "", refusal: "", calls: [], finish: null, usage: null, raised: "" };
  try {
    await readers[format](clients, request, whole, got);
  } catch (error) {
    got.raised = error.constructor.name;
  }
  judged.push(got);
}
process.stdout.write(JSON.stringify(judged));
