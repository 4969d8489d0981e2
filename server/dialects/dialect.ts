/** The types that readers, renderers and the route share. */
import type { ToolKind } from "@quarterdeck/hooks/contract/tool-kinds";
import type { EventName, HookInput, HookOutput } from "../hooks/index.ts";
import type { ClientCapabilities } from "./capabilities.ts";
import type { Body, RenderContext } from "./render-table.ts";

export type Payload = Readonly<Record<string, unknown>>;

/** The input as native hooks read it; `hook_event_name` is null when no native event corresponds. */
export type NativeInput = Omit<HookInput, "hook_event_name"> & { readonly hook_event_name: EventName | null };

/** The properties of a call that a policy matches across clients. */
export interface ToolFacts {
  readonly kind: ToolKind;
  readonly command?: string;
  readonly paths?: readonly string[];
  readonly url?: string;
  readonly mcp?: { readonly server?: string; readonly tool: string };
}

/** The part of a payload that has no native place. */
export interface Extension {
  readonly dialect: string;
  /** The client's own name of the event. */
  readonly client_event: string;
  readonly tool?: ToolFacts;
  readonly [field: string]: unknown;
}

export interface Reading {
  readonly native: NativeInput;
  readonly ext: Extension;
}

/** A client's way of speaking. */
export interface Dialect {
  readonly name: string;
  /** The payload, with the event of the URL that it came to. Takes any object, never throws. */
  readonly read: (payload: Payload, urlEvent: string) => Reading;
  readonly render: (output: HookOutput, context: RenderContext) => Body;
  readonly capabilities: ClientCapabilities;
}
