/** The environment variables that a hook may see, and references to them in its settings. */
import type { Environment } from "./engine/ports.ts";

// SHELL is excluded: a gate must not decide differently because the server was started from another shell.
const ALLOWED = new Set(["PATH", "LANG", "LANGUAGE", "TZ"]);
const PATH_OTHERWISE = "/usr/local/bin:/usr/bin:/bin";

/** The variables that untrusted hooks may see: no secrets, and none of our directories. */
export function allowedEnvironment(env: Readonly<Record<string, string | undefined>>): Environment {
  const allowed: Record<string, string> = { PATH: PATH_OTHERWISE };
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && (ALLOWED.has(name) || name.startsWith("LC_"))) allowed[name] = value;
  }
  return allowed;
}

/** A hook's `env` merged over a base. Values are literal, except one that is only a reference to a variable of the base. */
export function hookEnvironment(base: Environment, own: Readonly<Record<string, string>> | undefined): Environment {
  const merged: Record<string, string> = { ...base };
  for (const [name, value] of Object.entries(own ?? {})) {
    const reference = /^\$\{env\.([^}]+)\}$/.exec(value)?.[1];
    merged[name] = reference === undefined ? value : (base[reference] ?? "");
  }
  return merged;
}

/** Expands a leading `~` and the variables of a path (`$VAR`, `${VAR}`, `${env.VAR}`). Unset ones are empty. */
export function expandPath(path: string, env: Environment): string {
  const home = /^~(?=\/|$)/.test(path) ? `${env.HOME ?? "."}${path.slice(1)}` : path;
  return home.replace(
    /\$(?:\{(?:env\.)?([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g,
    (_match, braced?: string, bare?: string) => {
      return env[braced ?? bare ?? ""] ?? "";
    },
  );
}
