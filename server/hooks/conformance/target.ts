/** The interface of an executor under test. Implement it to run the cases against another executor. */
import type { Profile } from "../contract/events.ts";
import type { HooksConfig } from "../contract/hook.ts";
import type { MergedHooks } from "../contract/text/hook-sources.ts";
import type { DispatchCase, MergeCase, TemplateCase } from "./cases.ts";

export interface Target {
  /** Dispatches the case as often as it repeats and returns the last observation. `workingDir` is prepared. */
  dispatch(one: DispatchCase, profile: Profile, workingDir: string): Promise<Observed>;
  /** The first problem of a config; undefined if it is valid. */
  validate(config: unknown, profile: Profile): string | undefined;
  /** The first problem of a whole agent file; undefined if it is valid. */
  validateConfig(config: unknown, profile: Profile): string | undefined;
  /** The hooks of some sources, joined. */
  merge(sources: MergeCase["sources"], profile: Profile): MergedHooks;
  /** The hooks of an agent with those of its flags. */
  withFlags(config: unknown, flags: unknown, profile: Profile): HooksConfig;
  /** The matcher for a pattern; undefined if it does not compile. */
  matcher(pattern: string): ((name: string) => boolean) | undefined;
  /** The result of rendering a template with an input. */
  render(template: string, input: TemplateCase["input"], profile: Profile): Rendered;
  /** The reason why this target cannot run a case; undefined if it can. */
  skips(one: DispatchCase): string | undefined;
}

export type Rendered =
  | { readonly kind: "rendered"; readonly text: string; readonly bytesHex: string }
  | { readonly kind: "not parsed"; readonly line: number; readonly message: string }
  | { readonly kind: "not rendered"; readonly message: string };

export interface Observed {
  /** The Result with its wire names; absent if the dispatch itself failed. */
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: string;
  readonly has: boolean;
  readonly elapsedMs: number;
  readonly modelCalls: readonly { model: string; user: string }[];
  readonly modelRequests: readonly Readonly<Record<string, unknown>>[];
  readonly evaluatorCalls: readonly Readonly<Record<string, unknown>>[];
}
