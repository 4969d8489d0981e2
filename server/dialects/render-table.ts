/** Builds a renderer from one function for each client event. An event without a function accepts no answer: `{}`. */
import type { HookOutput } from "../hooks/index.ts";
import { type Ruling, rulingOf } from "./ruling.ts";

/** The call that an answer is for. */
export interface RenderContext {
  /** The client's own name for the event. */
  readonly event: string;
  /** The payload as the client sent it. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** True if the enrolment says that a user is present and can be asked. */
  readonly interactive?: boolean;
}

/** The JSON object that a client reads as a hook's answer. */
export type Body = Readonly<Record<string, unknown>>;
export type EventRenderer = (ruling: Ruling, context: RenderContext) => Body;

/** The renderer of a client. Event names come from URLs: a name such as `constructor` is still an unknown event. */
export function createRender(renderers: Readonly<Record<string, EventRenderer>>) {
  const byEvent = new Map(Object.entries(renderers));
  return (output: HookOutput, context: RenderContext): Body => {
    const renderer = byEvent.get(context.event);
    return renderer ? renderer(rulingOf(output), context) : {};
  };
}

/** `hookSpecificOutput` for clients that adopted it from Claude Code; empty if there are no fields. */
export function nested(event: string, fields: Body): Body {
  return Object.keys(fields).length > 0 ? { hookSpecificOutput: { hookEventName: event, ...fields } } : {};
}

/** A field with a text; no field if the text is empty. */
export function textField(key: string, text: string): Body {
  return text === "" ? {} : { [key]: text };
}
