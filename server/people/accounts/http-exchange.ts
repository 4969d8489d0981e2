/**
 * The context of one request to the account pages' library: the transaction its queries run in, and its acts for the
 * record. The library calls our hooks without either, so both travel beside the call.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { ClientInfo } from "../../access/actor.ts";
import type { Tx } from "../../platform/db.ts";

export type AccountAct =
  | "signed_in"
  | "password_changed"
  | "password_reset"
  | "second_factor_on"
  | "second_factor_off"
  | "recovery_codes_renewed"
  | "confirmed";

export interface HttpExchange {
  /** Set when the library said yes to what must not be: a code that was used before. Everything is undone. */
  isRefused?: boolean;
  /** True when the reset link is an admin's, who has seen it: such a password does not prove the address. */
  readonly isAdminReset?: boolean;
  /** Absent around calls to an identity provider: a transaction does not wait for somebody else's server. */
  readonly tx: Tx | null;
  readonly from: ClientInfo;
  /**
   * When whoever gets a session by the exchange proved who they are; null when nobody says. A provider may let in whoever sits at
   * a browser that it knows: there it is the instant that its identity token names.
   */
  confirmedAt: Date | null;
  /** The acts of the request, for the record. */
  readonly acts: {
    readonly act: AccountAct;
    readonly personId: string;
    readonly how: string;
    readonly sessionId: string | null;
  }[];
}

const exchanges = new AsyncLocalStorage<HttpExchange>();

export const duringExchange = <T>(exchange: HttpExchange, work: () => Promise<T>): Promise<T> =>
  exchanges.run(exchange, work);

export const currentExchange = (): HttpExchange | undefined => exchanges.getStore();
