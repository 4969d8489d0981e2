/** The matrix of events, clients and abilities, built only from the capability tables. The page and the documents show it. */
import { type EventName, eventNames, WIDEST_PROFILE } from "../hooks/index.ts";
import { ABILITIES, type Ability, type Cell, type ClientCapabilities } from "./capabilities.ts";
import { CLIENT_CAPABILITIES } from "./clients.ts";
import type { ClientMatrixView } from "./matrix-schema.ts";
import { answeringEvents } from "./native-events.ts";
import { CLIENT_NAMES, type ClientName, ENROLLED_CLIENTS, type EnrolledClientInfo } from "./schema.ts";
import { carrierOf } from "./stages.ts";

export const WISH_LABELS: Record<Ability, string> = {
  deny: "deny",
  ask: "ask",
  rewriteInput: "change the call",
  rewriteOutput: "change the result",
  stop: "end the run",
};

const CELL_WORDS: Record<Exclude<Cell, object>, string> = {
  held: "yes",
  denied: "denied",
  ended: "run ended",
  none: "",
};
/** The text of a cell in the documents; empty if there is no such wish. */
export const cellText = (cell: Cell): string => (typeof cell === "object" ? "gap" : CELL_WORDS[cell]);

export interface WishCell {
  readonly client: ClientName;
  /** The cell of the client's main event. */
  readonly cell: Cell;
  /** True if another of the client's events for this native event differs. */
  readonly isPartly: boolean;
}
export interface WishRow {
  readonly native: EventName;
  readonly ability: Ability;
  readonly cells: readonly WishCell[];
}

/**
 * The native events that clients raise, each with the wishes that clients support there. A stage that runs within another event has
 * only one row, the change of a result, which replaces that event's own row. The guards before a call would repeat the call's rows.
 */
export function listWishRows(): WishRow[] {
  return eventNames(WIDEST_PROFILE).flatMap((native) =>
    ABILITIES.flatMap((ability) => {
      const cells = CLIENT_NAMES.map((client) => wishCell(client, native, ability));
      const isKnown = cells.some(({ client, cell }) => client !== "docker-agent" && cell !== "none");
      return isKnown && isOwnRow(native, ability) ? [{ native, ability, cells }] : [];
    }),
  );
}

function isOwnRow(native: EventName, ability: Ability): boolean {
  if (ability === "rewriteOutput") return native === "tool_response_transform";
  return carrierOf(native) === undefined;
}

function wishCell(client: ClientName, native: EventName, ability: Ability): WishCell {
  const cells = answeringEvents(CLIENT_CAPABILITIES[client], native).map(([, capability]) => capability[ability]);
  const [cell = "none"] = cells;
  return { client, cell, isPartly: cells.some((other) => JSON.stringify(other) !== JSON.stringify(cell)) };
}

/** The whole matrix for the console. */
export function clientMatrix(): ClientMatrixView {
  return {
    rows: listWishRows().map(({ cells, ...row }) => ({ ...row, cells: [...cells] })),
    clients: CLIENT_NAMES.map(clientColumn),
  };
}

function clientColumn(name: ClientName): ClientMatrixView["clients"][number] {
  const { title, transports, enforcedFrom, evidence, onTimeout, onErrorStatus, onUnknownKey, blindSpots, events } =
    CLIENT_CAPABILITIES[name] as ClientCapabilities;
  const { scopes }: EnrolledClientInfo = ENROLLED_CLIENTS[name];
  return {
    ...{ name, title, enforcedFrom, evidence, onTimeout, onErrorStatus, onUnknownKey },
    transports: [...transports],
    scopes: [...scopes],
    blindSpots: [...blindSpots],
    events: Object.entries(events).map(([event, { native, addsContext, ...cells }]) => ({
      ...{ name: event, native, addsContext },
      cells,
    })),
  };
}
