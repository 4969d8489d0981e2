/** The queries that a stream of their own keeps up: it says when one has to be fetched again. */
import type { Query } from "@tanstack/react-query";

type IsKept = (query: Query) => boolean;

/** This tab has one query client. */
const kept = new Set<IsKept>();

/** Declares queries as kept up; returns the end of it. */
export function keepByRows(isKept: IsKept): () => void {
  kept.add(isKept);
  return () => void kept.delete(isKept);
}

/** A query without an answer is fetched as any other. */
export const isKeptByRows = (query: Query): boolean =>
  query.state.status === "success" && [...kept].some((isKept) => isKept(query));
