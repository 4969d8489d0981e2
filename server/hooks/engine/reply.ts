/** Validates a handler's reply. Handlers are untrusted: they may resolve with any value. */
import { hookOutput } from "../contract/output.ts";
import type { HandlerReply } from "./ports.ts";

/** The validated reply; undefined if the value is not a reply. Never throws, even if a getter does. */
export function readableReply(value: unknown): HandlerReply | undefined {
  try {
    return readable(value);
  } catch {
    return undefined;
  }
}

function readable(value: unknown): HandlerReply | undefined {
  if (typeof value !== "object" || value === null || !("kind" in value)) return undefined;
  const reply = value as Readonly<Record<string, unknown>>; // holds: an object, whose fields are only read
  switch (reply.kind) {
    case "exited": {
      const { exitCode, stdout, stderr } = reply;
      if (typeof exitCode !== "number" || !Number.isInteger(exitCode)) return undefined;
      if (typeof stdout !== "string" || typeof stderr !== "string") return undefined;
      return { kind: "exited", exitCode, stdout, stderr };
    }
    case "answered": {
      if (reply.output === null) return { kind: "answered", output: null };
      const output = hookOutput.safeParse(reply.output);
      return output.success ? { kind: "answered", output: output.data } : undefined;
    }
    case "failed": {
      const { message, stdout, stderr } = reply;
      if (typeof message !== "string") return undefined;
      return { kind: "failed", message, ...(isText(stdout) && { stdout }), ...(isText(stderr) && { stderr }) };
    }
    case "not_started": {
      const { cause, message } = reply;
      if (cause !== "busy" && cause !== "no_sandbox" && cause !== "stopping") return undefined;
      return isText(message) ? { kind: "not_started", cause, message } : undefined;
    }
    default:
      return undefined;
  }
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** The thrown value as text, even if its conversion fails. */
export function thrownText(thrown: unknown): string {
  try {
    return thrown instanceof Error ? thrown.message : String(thrown);
  } catch {
    return "a value that cannot be written";
  }
}
