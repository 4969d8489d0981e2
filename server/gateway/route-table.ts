import type { AgentRoute } from "../access/agent-api-types.ts";

export interface Found {
  readonly route: AgentRoute;
  /** The value of each `{name}`, decoded. */
  readonly parameters: readonly string[];
}

export interface Lookup {
  readonly found: Found | null;
  /** The methods of this path; empty for an unknown path. */
  readonly allow: readonly string[];
}

interface Place {
  readonly prefix: string;
  readonly parameters: number;
  readonly routes: ReadonlyMap<string, AgentRoute>;
  readonly allow: readonly string[];
}

const NOTHING: Lookup = { found: null, allow: [] };

/** Finds a route by method and path (without query). A handful of places: a walk over them beats anything clever. */
export function routeTable(routes: readonly AgentRoute[]): (method: string, path: string) => Lookup {
  const places = [...new Set(routes.map((route) => route.path))].map((path) => placeOf(path, routes));
  return (method, path) => {
    for (const place of places) {
      const parameters = parametersOf(place, path);
      if (parameters === null) continue;
      const route = place.routes.get(method === "HEAD" ? "GET" : method);
      return route ? { found: { route, parameters }, allow: place.allow } : { found: null, allow: place.allow };
    }
    return NOTHING;
  };
}

function placeOf(path: string, routes: readonly AgentRoute[]): Place {
  const here = new Map(routes.filter((route) => route.path === path).map((route) => [route.method as string, route]));
  const methods = [...here.keys()];
  const brace = path.indexOf("{");
  return {
    prefix: brace === -1 ? path : path.slice(0, brace),
    parameters: brace === -1 ? 0 : path.slice(brace).split("/").length,
    routes: here,
    allow: [...methods, ...(here.has("GET") ? ["HEAD"] : []), "OPTIONS"],
  };
}

const NO_PARAMETERS: readonly string[] = [];

function parametersOf({ prefix, parameters }: Place, path: string): readonly string[] | null {
  if (parameters === 0) return path === prefix ? NO_PARAMETERS : null;
  if (!path.startsWith(prefix) || path.length === prefix.length) return null;
  const rest = path.slice(prefix.length);
  const segments = rest.includes("/") ? rest.split("/") : [rest];
  if (segments.length !== parameters || segments.includes("")) return null;
  return rest.includes("%") ? decoded(segments) : segments;
}

function decoded(segments: readonly string[]): readonly string[] | null {
  try {
    return segments.map(decodeURIComponent);
  } catch {
    return null;
  }
}
