import type { Breakers, Confinement } from "@quarterdeck/hooks";
import type { Actor, ClientInfo } from "../access/actor.ts";
import type { FailureThrottle } from "../access/failure-throttle.ts";
import type { RequestBody } from "../access/request-body.ts";
import type { Streams } from "../access/streams.ts";
import type { Authenticator } from "../agents/authenticate.ts";
import type { Alerts } from "../alerts/service.ts";
import type { RecordKeeping } from "../audit/evidence/service.ts";
import type { Dispatcher } from "../dispatches/service.ts";
import type { Patient } from "../doctor/service.ts";
import type { Bus } from "../events/service.ts";
import type { ExecutorCalls } from "../halts/service.ts";
import type { Models } from "../judges/service.ts";
import type { Shedding } from "../load-shedding/service.ts";
import type { Accounts, Mailer } from "../people/service.ts";
import type { AnswerKeys } from "../platform/answer-keys.ts";
import type { Database } from "../platform/db.ts";
import type { Log } from "../platform/log.ts";
import type { AddressRule } from "../platform/outgoing/address-rule.ts";
import type { Secrets } from "../platform/secrets.ts";
import type { WorkerRpc } from "../platform/worker-rpc.ts";
import type { Playground } from "../playground/service.ts";
import type { CaseGate, ClientSigns, Plans, PlaygroundExecutor } from "../policies/service.ts";
import type { JudgeTrials } from "../prompts/service.ts";
import type { Telemetry } from "../telemetry/service.ts";
import type { Webhooks } from "../webhooks/service.ts";

/** The parts of the running server. The gateway hands them to every edge. */
export interface App {
  readonly db: Database;
  readonly bus: Bus;
  readonly log: Log;
  readonly secrets: Secrets;
  /** The other processes of this node. */
  readonly workerRpc: WorkerRpc;
  readonly authenticator: Authenticator;
  /** Completes new keys of agents. */
  readonly answerKeys: AnswerKeys;
  /** Counts those who showed credentials that opened nothing. */
  readonly credentials: FailureThrottle;
  readonly accounts: Accounts;
  readonly mailer: Mailer;
  readonly plans: Plans;
  /** Takes what clients say of themselves. */
  readonly clientSigns: ClientSigns;
  /** Takes the calls of local executors. */
  readonly executorCalls: ExecutorCalls;
  /** Runs texts that are not in force. */
  readonly trials: PlaygroundExecutor;
  /** Asked before anything is published. */
  readonly cases: CaseGate;
  /** Runs what is not in force, for people. */
  readonly bench: Playground;
  readonly dispatcher: Dispatcher;
  /** The circuit breakers of hooks that failed too often to be started. */
  readonly breakers: Breakers;
  readonly models: Models;
  readonly judgeTrials: JudgeTrials;
  /** The open streams, counted by session and by person. */
  readonly streams: Streams;
  /** Turns away what can wait. */
  readonly shedding: Shedding;
  /** Checkpoints and retention. */
  readonly record: RecordKeeping;
  readonly webhooks: Webhooks;
  readonly alerts: Alerts;
  /** Null when nothing is exported. */
  readonly telemetry: Telemetry | null;
  /** Where people and agents reach this server, without a trailing slash. */
  readonly url: string;
  /** Where the provider that people sign on by may be. */
  readonly providers: AddressRule;
  /** The confinement of hook commands. */
  readonly confinement: Confinement;
  /** Where it runs, for the doctor. */
  readonly machine: Pick<Patient, "dataDir" | "host" | "given">;
}

/** The context of a procedure. `app` is absent where pages are prefetched: there only the database is at hand. */
export interface Context {
  readonly db: Database;
  readonly actor: Actor | null;
  readonly app: App | null;
  /** The browser session's token, when the request carried one. */
  readonly session: string | null;
  /** When the person last proved who they are in this browser; absent or null, and the gravest acts ask them to. */
  readonly confirmedAt?: Date | null;
  /** Asks whether the request's credentials still open what they opened; absent where nothing streams. */
  readonly isStillAllowed?: () => Promise<boolean>;
  /** Where the request came from; absent where pages are prefetched. */
  readonly from?: ClientInfo;
  /** The body as it came, which has the digits that numbers lose; absent where there was none. */
  readonly body?: RequestBody;
  /** Sets a response header; without effect where there is no response. */
  readonly setHeader: (name: string, value: string) => void;
}
