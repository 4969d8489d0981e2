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

/** The fields of a payload without a native equivalent. */
export interface Extension {
  readonly dialect: string;
  /** The client's own name for the event. */
  readonly client_event: string;
  readonly tool?: ToolFacts;
  readonly [field: string]: unknown;
}

export interface Reading {
  readonly native: NativeInput;
  readonly ext: Extension;
}

/** A client's hook protocol: its payloads and answers. */
export interface Dialect {
  readonly name: string;
  /** Reads a payload. `urlEvent` is the event in the request's URL. Accepts any object, never throws. */
  readonly read: (payload: Payload, urlEvent: string) => Reading;
  readonly render: (output: HookOutput, context: RenderContext) => Body;
  readonly capabilities: ClientCapabilities;
}
