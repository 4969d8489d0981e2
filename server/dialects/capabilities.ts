/**
 * The schema of a client's capability table: for each event, the form in which each wish of a policy reaches the client. The
 * tables are data; the pages, the documents and the tests read them, and render.test.ts proves them against the renderers.
 */
import type { EventName } from "../hooks/index.ts";

/** The wishes of a native output that a client may or may not enforce. */
export const ABILITIES = ["deny", "ask", "rewriteInput", "rewriteOutput", "stop"] as const;
export type Ability = (typeof ABILITIES)[number];

/**
 * The form in which a wish reaches the client: `held` as it is, `denied` as a denial of the call, `ended` as the end of the
 * run, `none` if the native event has no such wish. A gap is a wish that the client does not follow, with the consequence.
 */
export type Cell = "held" | "denied" | "ended" | "none" | Gap;
export interface Gap {
  readonly gap: string;
}

export interface EventCapability extends Readonly<Record<Ability, Cell>> {
  /** The corresponding native event; null for an event that is only stored and shown, never evaluated. */
  readonly native: EventName | null;
  /** `additional_context` reaches the model. */
  readonly addsContext: boolean;
}

/** The result for a call whose hook gave no valid answer. */
export type FailureOutcome = "runs" | "blocked";

/** The outcome of a failure: by the client alone, and with the files that an enrolment writes. */
export interface FailureCell {
  readonly plain: FailureOutcome;
  readonly enrolled: FailureOutcome;
}

export interface ClientCapabilities {
  /** The display name. */
  readonly title: string;
  /** The transports of its hooks. */
  readonly transports: readonly ("command" | "http" | "plugin")[];
  /** The version from which the table holds. */
  readonly enforcedFrom: string;
  /** `client`: verified with the client itself. `source`: read in its code or types. */
  readonly evidence: "client" | "source";
  /** By the client's own event name. */
  readonly events: Readonly<Record<string, EventCapability>>;
  /** The first version that raises an event, if older enforceable versions do not. */
  readonly eventsSince?: Readonly<Record<string, string>>;
  readonly onTimeout: FailureCell;
  readonly onErrorStatus: FailureCell;
  /** The result for an answer with an unknown key: the client skips the key, or ignores the whole answer and runs the call. */
  readonly onUnknownKey: "key ignored" | "answer ignored" | "blocked";
  /** Actions that no hook sees, and ways to bypass the hooks. */
  readonly blindSpots: readonly string[];
}

/** An event whose hook can decide. */
export function gate(
  native: EventName,
  cells: Partial<Record<Ability, Cell>>,
  addsContext: "context" | "no context" = "no context",
): EventCapability {
  return {
    native,
    deny: "none",
    ask: "none",
    rewriteInput: "none",
    rewriteOutput: "none",
    stop: "none",
    ...cells,
    addsContext: addsContext === "context",
  };
}

/** An event whose hook can only observe. */
export function observer(
  native: EventName | null,
  addsContext: "context" | "no context" = "no context",
): EventCapability {
  return { ...gate("notification", {}, addsContext), native };
}

/** An event whose result a hook can replace, but where no hook can end the run. */
export const REPLACEABLE_RESULT = gate(
  "post_tool_use",
  { rewriteOutput: "held", stop: { gap: "The reason replaces the result, and the run continues." } },
  "context",
);

export const FAILED_TOOL = gate(
  "post_tool_use",
  {
    rewriteOutput: { gap: "The error of a failed tool reaches the model as it is." },
    stop: { gap: "The run continues after a failed tool." },
  },
  "context",
);

/** One wish that one client does not follow on one event. */
export interface GapCell {
  readonly event: string;
  readonly ability: Ability;
  readonly consequence: string;
}

export function listGaps(client: ClientCapabilities): GapCell[] {
  return Object.entries(client.events).flatMap(([event, capability]) =>
    ABILITIES.flatMap((ability) => {
      const cell = capability[ability];
      return typeof cell === "object" ? [{ event, ability, consequence: cell.gap }] : [];
    }),
  );
}
