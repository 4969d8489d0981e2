/** A renderer made of one function per client event. An event without one takes no answer: `{}`. */
import type { HookOutput } from "../hooks/index.ts";
import { type Ruling, rulingOf } from "./ruling.ts";

/** The call that an answer is for. */
export interface RenderContext {
  /** The client's own name of the event. */
  readonly event: string;
  /** The payload as the client sent it. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** A person sits at the client and can be asked, says its enrolment. */
  readonly interactive?: boolean;
}

/** The JSON object that a client reads as the answer of a hook. */
export type Body = Readonly<Record<string, unknown>>;
export type EventRenderer = (ruling: Ruling, context: RenderContext) => Body;

/** The renderer of a client. Events come from URLs: a name that JavaScript knows by itself is still an unknown one. */
export function createRender(renderers: Readonly<Record<string, EventRenderer>>) {
  const byEvent = new Map(Object.entries(renderers));
  return (output: HookOutput, context: RenderContext): Body => {
    const renderer = byEvent.get(context.event);
    return renderer ? renderer(rulingOf(output), context) : {};
  };
}

/** `hookSpecificOutput` of the clients that took it over from Claude Code; nothing when there are no fields. */
export function nested(event: string, fields: Body): Body {
  return Object.keys(fields).length > 0 ? { hookSpecificOutput: { hookEventName: event, ...fields } } : {};
}

/** A field that is sent only when it says something. */
export function textField(key: string, text: string): Body {
  return text === "" ? {} : { [key]: text };
}
