/** The names of path classes and of accesses to a path. */
export const PATH_CLASSES = [
  "project",
  "outside",
  "home",
  "system",
  "temporary",
  "credentials",
  "version_control",
  "dependencies",
  "build_output",
  "device",
  /** The root of a file system, a home or the project, as a whole. */
  "everything",
] as const;
export type PathClass = (typeof PATH_CLASSES)[number];

export const PATH_ACCESSES = ["read", "write", "delete", "execute"] as const;
export type PathAccess = (typeof PATH_ACCESSES)[number];
