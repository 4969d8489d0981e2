/**
 * The environment, parsed once. The only file that reads `process.env`.
 *
 * Errors: a `StartupError` whose message names the variable and the remedy.
 */
import { isIPv6 } from "node:net";
import { z } from "zod";

/** Something the operator must put right. The message is one sentence for a person; it is printed without a stack. */
export class StartupError extends Error {
  override readonly name = "StartupError";
}

const absent = (value: unknown) => (value === "" ? undefined : value);
const optionalText = z.preprocess(absent, z.string().optional());

const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

const WORKERS_MAX = 64;
/** An operator must confirm in words the risk of hooks without a sandbox. */
const WITHOUT_SANDBOX = "i-accept-that-hooks-read-everything";

/** Neither a scheme, a port nor a path; a colon is an IPv6 address's. */
const isHostList = (list: string) =>
  list.split(",").every((host) => /^[\w.-]+$/.test(host.trim()) || isIPv6(host.trim().replace(/^\[(.*)\]$/, "$1")));

const environment = z.object({
  PORT: z.preprocess(absent, z.coerce.number().int().min(0).max(65_535).default(3000)),
  HOST: z.preprocess(absent, z.string().default("127.0.0.1")),
  GATEWAY_WORKERS: z.preprocess(absent, z.coerce.number().int().min(1).max(WORKERS_MAX).default(1)),
  QUARTERDECK_DATA_DIR: z.preprocess(absent, z.string().default("./.quarterdeck")),
  DATABASE_URL: optionalText,
  DATABASE_READ_URL: optionalText,
  QUARTERDECK_URL: z.preprocess(absent, z.url({ protocol: /^https?$/ }).optional()),
  QUARTERDECK_TOKEN: optionalText,
  QUARTERDECK_SESSION_SECRET: z.preprocess(absent, z.string().min(32).optional()),
  QUARTERDECK_SIGNING_KEY: optionalText,
  QUARTERDECK_CREDENTIAL_KEY: z.preprocess(absent, z.string().min(32).optional()),
  QUARTERDECK_ALLOW_PRIVATE_MODELS: optionalText,
  QUARTERDECK_ALLOW_PRIVATE_WEBHOOKS: z.preprocess(absent, z.string().default("none")),
  QUARTERDECK_ALLOW_PRIVATE_SIGN_ON: z.preprocess(absent, z.string().default("none")),
  QUARTERDECK_ALLOW_PRIVATE_MAIL: optionalText,
  QUARTERDECK_TRUSTED_PROXIES: z.preprocess(absent, z.string().default("none")),
  QUARTERDECK_ALLOWED_HOSTS: z.preprocess(absent, z.string().refine(isHostList).default("none")),
  QUARTERDECK_CHECKPOINT_DIR: optionalText,
  QUARTERDECK_COMMAND: optionalText,
  QUARTERDECK_RUN_HOOKS_WITHOUT_SANDBOX: z.preprocess(absent, z.literal(WITHOUT_SANDBOX).optional()),
  QUARTERDECK_HOOK_NETWORK: z.preprocess(absent, z.enum(["own", "host"]).default("own")),
  QUARTERDECK_OTLP_ENDPOINT: z.preprocess(absent, z.url({ protocol: /^https?$/ }).optional()),
  OTEL_EXPORTER_OTLP_HEADERS: z.preprocess(
    absent,
    z
      .string()
      .regex(/^\s*[^=,\s]+\s*=[^,]*(,\s*[^=,\s]+\s*=[^,]*)*,?\s*$/)
      .optional(),
  ),
  OTEL_EXPORTER_OTLP_TIMEOUT: z.preprocess(absent, z.coerce.number().int().min(1).max(60_000).default(10_000)),
  OTEL_METRIC_EXPORT_INTERVAL: z.preprocess(absent, z.coerce.number().int().min(1_000).max(3_600_000).default(60_000)),
  OTEL_SERVICE_NAME: z.preprocess(absent, z.string().max(200).default("quarterdeck")),
  LOG_LEVEL: z.preprocess(absent, z.enum(LOG_LEVELS).default("warn")),
  NODE_ENV: z.preprocess(absent, z.enum(["development", "production", "test"]).default("production")),
});

/** Every variable that is read. */
export const ENVIRONMENT_NAMES = environment.keyof().options;

/** The value to write instead, per variable; completes "PORT must be ...". */
const EXPECTED: Record<keyof z.infer<typeof environment>, string> = {
  PORT: "a port number from 0 to 65535 (0 takes a free one)",
  HOST: "an address to listen on, such as 127.0.0.1 or 0.0.0.0",
  GATEWAY_WORKERS: `how many processes answer requests, from 1 to ${WORKERS_MAX}`,
  QUARTERDECK_DATA_DIR: "the path of a directory",
  DATABASE_URL: "a PostgreSQL address such as postgresql://user:password@host:5432/database",
  DATABASE_READ_URL: "the PostgreSQL address of a replica",
  QUARTERDECK_URL: "an address such as http://127.0.0.1:3000",
  QUARTERDECK_TOKEN: "the text of the admin-token file in the data directory",
  QUARTERDECK_SESSION_SECRET: "at least 32 characters",
  QUARTERDECK_SIGNING_KEY: "an Ed25519 private key in PEM",
  QUARTERDECK_CREDENTIAL_KEY: "at least 32 characters",
  QUARTERDECK_ALLOW_PRIVATE_MODELS: "a list such as loopback, gpu.lan, 10.0.0.0/8, or none",
  QUARTERDECK_ALLOW_PRIVATE_WEBHOOKS: "a list such as loopback, siem.lan, 10.0.0.0/8, or none",
  QUARTERDECK_ALLOW_PRIVATE_SIGN_ON: "a list such as loopback, login.lan, 10.0.0.0/8, or none",
  QUARTERDECK_ALLOW_PRIVATE_MAIL: "a list such as loopback, smtp.lan, 10.0.0.0/8, or none",
  QUARTERDECK_TRUSTED_PROXIES: "a list such as loopback, 10.0.0.7, 10.0.0.0/8, or none",
  QUARTERDECK_ALLOWED_HOSTS: "a list of names without ports such as deck.lan, 10.0.0.7, or none",
  QUARTERDECK_CHECKPOINT_DIR: "the path of a directory",
  QUARTERDECK_COMMAND: "the words before a verb of the command line, such as npx quarterdeck",
  QUARTERDECK_RUN_HOOKS_WITHOUT_SANDBOX: `absent, or ${WITHOUT_SANDBOX}: then any hook reads the database and every secret of this server`,
  QUARTERDECK_HOOK_NETWORK:
    "own, or host: then hooks with network: true reach every service on this machine's loopback",
  QUARTERDECK_OTLP_ENDPOINT: "the address of a collector such as http://127.0.0.1:4318",
  OTEL_EXPORTER_OTLP_HEADERS: "a list such as authorization=Bearer%20abc,x-team=core",
  OTEL_EXPORTER_OTLP_TIMEOUT: "milliseconds from 1 to 60000",
  OTEL_METRIC_EXPORT_INTERVAL: "milliseconds from 1000 to 3600000",
  OTEL_SERVICE_NAME: "a name of at most 200 characters",
  LOG_LEVEL: `one of ${LOG_LEVELS.join(", ")}`,
  NODE_ENV: "development, production or test",
};

export interface TelemetryEnv {
  /** The base of an OTLP/HTTP collector. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly metricsEveryMs: number;
  readonly serviceName: string;
}

export interface Env {
  /** 0 means any free port. */
  readonly port: number;
  readonly host: string;
  /** The number of processes that answer requests. */
  readonly workers: number;
  /** As written; `prepareDataDirectory` makes it absolute. */
  readonly dataDir: string;
  /** Absent: the embedded PostgreSQL. */
  readonly databaseUrl: string | undefined;
  /** A replica of the same database, for lists and figures of pages; absent: they are read like everything else. */
  readonly databaseReadUrl: string | undefined;
  /** Where people and agents reach this server, without a trailing slash; by default this machine and `port`. */
  readonly url: string;
  /** The token that the command line shows the server instead of the data directory's admin token. */
  readonly token: string | undefined;
  /** Shared by the nodes of one installation; by default each data directory makes its own. */
  readonly sessionSecret: string | undefined;
  readonly signingKey: string | undefined;
  /** The key that encrypts model credentials; by default each data directory makes its own. */
  readonly credentialKey: string | undefined;
  /**
   * Private addresses at which models may be reached, as written: `loopback`, hosts, ranges, or `none`. Undefined: only
   * addresses that were in use before they had to be listed.
   */
  readonly privateModels: string | undefined;
  /** The same for webhooks. */
  readonly privateWebhooks: string;
  /** The same for the provider that people sign on by. */
  readonly privateSignOn: string;
  /** The same for the mail server, and as undefined as for models. */
  readonly privateMail: string | undefined;
  /** Whose X-Forwarded-For is believed, as written: `loopback`, addresses, ranges, or `none`. */
  readonly trustedProxies: string;
  /**
   * Names that this server answers to, in addition to those of `url`, `host` and this machine, as written: names,
   * addresses, or `none`.
   */
  readonly allowedHosts: string;
  /** As written; absent: `checkpoints` in the data directory. */
  readonly checkpointDir: string | undefined;
  /**
   * True to run command hooks without a sandbox if none works; such hooks can read everything that the server can.
   * Otherwise they are refused.
   */
  readonly runsHooksWithoutSandbox: boolean;
  readonly hookNetwork: "own" | "host";
  /** Where traces and metrics go; absent: nowhere. */
  readonly telemetry: TelemetryEnv | undefined;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  readonly nodeEnv: "development" | "production" | "test";
}

/** The environment as a value. Pass a source to parse another one than this process's. */
export function readEnv(source: Record<string, string | undefined> = process.env): Env {
  const parsed = environment.safeParse(source);
  if (!parsed.success) {
    const name = String(parsed.error.issues[0]?.path[0] ?? "") as keyof typeof EXPECTED; // issue paths start at our keys
    throw new StartupError(`${name} must be ${EXPECTED[name]}; it is ${quoted(name, source[name])}.`);
  }
  const values = parsed.data;
  return {
    port: values.PORT,
    host: values.HOST,
    workers: values.GATEWAY_WORKERS,
    dataDir: values.QUARTERDECK_DATA_DIR,
    databaseUrl: values.DATABASE_URL,
    databaseReadUrl: values.DATABASE_READ_URL,
    url: (values.QUARTERDECK_URL ?? `http://127.0.0.1:${values.PORT}`).replace(/\/+$/, ""),
    token: values.QUARTERDECK_TOKEN,
    sessionSecret: values.QUARTERDECK_SESSION_SECRET,
    signingKey: values.QUARTERDECK_SIGNING_KEY,
    credentialKey: values.QUARTERDECK_CREDENTIAL_KEY,
    privateModels: values.QUARTERDECK_ALLOW_PRIVATE_MODELS,
    privateWebhooks: values.QUARTERDECK_ALLOW_PRIVATE_WEBHOOKS,
    privateSignOn: values.QUARTERDECK_ALLOW_PRIVATE_SIGN_ON,
    privateMail: values.QUARTERDECK_ALLOW_PRIVATE_MAIL,
    trustedProxies: values.QUARTERDECK_TRUSTED_PROXIES,
    allowedHosts: values.QUARTERDECK_ALLOWED_HOSTS,
    checkpointDir: values.QUARTERDECK_CHECKPOINT_DIR,
    runsHooksWithoutSandbox: values.QUARTERDECK_RUN_HOOKS_WITHOUT_SANDBOX !== undefined,
    hookNetwork: values.QUARTERDECK_HOOK_NETWORK,
    telemetry:
      values.QUARTERDECK_OTLP_ENDPOINT === undefined
        ? undefined
        : {
            endpoint: values.QUARTERDECK_OTLP_ENDPOINT,
            headers: headersIn(values.OTEL_EXPORTER_OTLP_HEADERS ?? ""),
            timeoutMs: values.OTEL_EXPORTER_OTLP_TIMEOUT,
            metricsEveryMs: values.OTEL_METRIC_EXPORT_INTERVAL,
            serviceName: values.OTEL_SERVICE_NAME,
          },
    logLevel: values.LOG_LEVEL,
    nodeEnv: values.NODE_ENV,
  };
}

/** `name=value` separated by commas, with percent-encoded values, as OpenTelemetry writes headers. */
function headersIn(text: string): Record<string, string> {
  const pairs = text.split(",").flatMap((pair) => {
    const [name = "", ...value] = pair.split("=");
    return name.trim() === "" ? [] : [[name.trim(), unescaped(value.join("=").trim())] as const];
  });
  return Object.fromEntries(pairs);
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

let parsedOnce: Env | undefined;

/** This process's environment, parsed at the first call. */
export function env(): Env {
  parsedOnce ??= readEnv();
  return parsedOnce;
}

/**
 * The words that a person writes before a verb of the command line on this installation. A package and a container set
 * QUARTERDECK_COMMAND; a checkout needs no setting.
 */
export function commandLine(source: Record<string, string | undefined> = process.env): string {
  return source.QUARTERDECK_COMMAND || "npm run -s quarterdeck --";
}

/** The whole environment of this process: for a child that must find the same machine (its PATH, its HOME). */
export function inheritedEnvironment(): Record<string, string | undefined> {
  return { ...process.env };
}

/** A secret is never repeated, not even in an error about it. */
function quoted(name: string, value: string | undefined): string {
  return /SECRET|KEY|TOKEN|DATABASE_URL|DATABASE_READ_URL|HEADERS/.test(name)
    ? "something else"
    : JSON.stringify(value ?? null);
}
