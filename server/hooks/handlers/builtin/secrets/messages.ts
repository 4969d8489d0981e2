/** Redacts the parts of a chat message that people, models and tools write, but not ids, names, roles, images and signatures. */
import { redactValue } from "./redact.ts";

type Members = Readonly<Record<string, unknown>>;

/** The message with its secrets replaced; the same object if it has no secret. */
export function redactMessage<Message extends Members>(message: Message): Message {
  return rewritten(message, {
    content: redactedText,
    reasoning_content: redactedText,
    multi_content: each((part) => (part.type === "text" ? rewritten(part, { text: redactedText }) : part)),
    function_call: member(call),
    tool_calls: each((one) => rewritten(one, { function: member(call) })),
  });
}

type Rewrite = (value: unknown) => unknown;

const redactedText: Rewrite = (value) => (typeof value === "string" ? redactValue(value) : value);
const call = (value: Members): Members => rewritten(value, { arguments: redactedText });

function member(rewrite: (value: Members) => Members): Rewrite {
  return (value) => (isMembers(value) ? rewrite(value) : value);
}

function each(rewrite: (value: Members) => Members): Rewrite {
  return (value) => {
    if (!Array.isArray(value)) return value;
    const safe = value.map(member(rewrite));
    return safe.every((one, index) => one === value[index]) ? value : safe;
  };
}

/** `object` with some members rewritten; the same object if no member changed. */
function rewritten<T extends Members>(object: T, rewrites: Readonly<Record<string, Rewrite>>): T {
  const changed = Object.entries(rewrites).flatMap(([key, rewrite]) => {
    const safe = rewrite(object[key]);
    return safe === object[key] ? [] : [[key, safe] as const];
  });
  return changed.length === 0 ? object : { ...object, ...Object.fromEntries(changed) };
}

function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
