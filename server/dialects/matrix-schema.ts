/** The client matrix of the console: events, clients and abilities, with the gaps by name. */
import { z } from "zod";
import { CLIENT_NAMES, ENROLMENT_SCOPES } from "./schema.ts";

export const abilityName = z.enum(["deny", "ask", "rewriteInput", "rewriteOutput", "stop"]);
export type AbilityName = z.infer<typeof abilityName>;

const cell = z.union([z.enum(["held", "denied", "ended", "none"]), z.strictObject({ gap: z.string() })]);
export type MatrixCell = z.infer<typeof cell>;

const wishRow = z.strictObject({
  native: z.string(),
  ability: abilityName,
  cells: z.array(
    z.strictObject({
      client: z.enum(CLIENT_NAMES),
      cell,
      /** True if another of the client's events for this native event differs. */
      isPartly: z.boolean(),
    }),
  ),
});

const outcome = z.enum(["runs", "blocked"]);
const failure = z.strictObject({ plain: outcome, enrolled: outcome });

const clientColumn = z.strictObject({
  name: z.enum(CLIENT_NAMES),
  title: z.string(),
  transports: z.array(z.string()),
  enforcedFrom: z.string(),
  evidence: z.enum(["client", "source"]),
  /** The settings that an enrolment writes; empty for docker-agent. */
  scopes: z.array(z.enum(ENROLMENT_SCOPES)),
  events: z.array(
    z.strictObject({
      name: z.string(),
      native: z.string().nullable(),
      cells: z.record(abilityName, cell),
      addsContext: z.boolean(),
    }),
  ),
  onTimeout: failure,
  onErrorStatus: failure,
  onUnknownKey: z.string(),
  blindSpots: z.array(z.string()),
});
export type ClientColumn = z.infer<typeof clientColumn>;

export const clientMatrixView = z.strictObject({ rows: z.array(wishRow), clients: z.array(clientColumn) });
export type ClientMatrixView = z.infer<typeof clientMatrixView>;
export type MatrixRow = ClientMatrixView["rows"][number];
