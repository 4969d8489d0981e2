/** A problem of a hooks configuration, with its place. */
export interface Problem {
  /** Where, for people: `hooks.pre_tool_use[0].hooks[1]`. */
  readonly path: string;
  /** Where, for programs. As `path`, or a step further to the very value; the first segment is "hooks". */
  readonly segments: readonly (string | number)[];
  /** The problem itself, without the path; `describeProblem` puts the two together. */
  readonly message: string;
}

/** The problem at a place inside a hooks block; `within` starts below "hooks". */
export function problemAt(within: readonly (string | number)[], message: string): Problem {
  const segments = ["hooks", ...within];
  return { path: pathOf(segments), segments, message };
}

/** `hooks.stop[0]: type is required` */
export function describeProblem(problem: Problem): string {
  return `${problem.path}: ${problem.message}`;
}

function pathOf(segments: readonly (string | number)[]): string {
  return segments.reduce<string>(
    (path, segment) =>
      typeof segment === "number" ? `${path}[${segment}]` : path === "" ? segment : `${path}.${segment}`,
    "",
  );
}
