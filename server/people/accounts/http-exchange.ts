/**
 * The context of one request to the account library: the transaction of its queries, and its acts for the record. The
 * library passes neither to our hooks, so both are in an AsyncLocalStorage.
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
  /** Set when the library accepted a code that was used before. Everything is rolled back. */
  isRefused?: boolean;
  /** True when the reset link was made by an admin, who has seen it: such a password does not prove the address. */
  readonly isAdminReset?: boolean;
  /** Null during calls to an identity provider: a transaction must not wait for a foreign server. */
  readonly tx: Tx | null;
  readonly from: ClientInfo;
  /**
   * The time when the person who gets the session proved their identity; null when unknown. A provider may accept a
   * browser that it remembers: then it is the instant in its identity token.
   */
  confirmedAt: Date | null;
  /** The groups that the sign-on provider named for the person; absent if it named none at all. */
  groups?: readonly string[];
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
