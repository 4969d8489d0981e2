/** A problem of a hooks configuration, with its path. */
export interface Problem {
  /** The path for display: `hooks.pre_tool_use[0].hooks[1]`. */
  readonly path: string;
  /** The path for programs: like `path`, or one step deeper to the exact value. The first segment is "hooks". */
  readonly segments: readonly (string | number)[];
  /** The problem without its path; `describeProblem` joins the two. */
  readonly message: string;
}

/** A problem at a path inside a hooks block; `within` starts below "hooks". */
export function problemAt(within: readonly (string | number)[], message: string): Problem {
  const segments = ["hooks", ...within];
  return { path: pathOf(segments), segments, message };
}

/** `hooks.stop[0]: type is required` */
export function describeProblem(problem: Problem): string {
  return `${problem.path}: ${problem.message}`;
}

export function pathOf(segments: readonly (string | number)[]): string {
  return segments.reduce<string>(
    (path, segment) =>
      typeof segment === "number" ? `${path}[${segment}]` : path === "" ? segment : `${path}.${segment}`,
    "",
  );
}
