/** Commands that discard work or rewrite shared history (taxonomy 0.3 and 0.4). */
import { createTaxonomyRows } from "./row.ts";

export const GIT = [
  ...createTaxonomyRows(
    "git-discard",
    "high",
    "git reset --hard",
    "git checkout -- <path>",
    "git checkout .",
    "git restore .",
  ),
  ...createTaxonomyRows("git-discard", "medium", "git restore <path>"),
  ...createTaxonomyRows("git-discard", "high", "git clean -f", "git clean --force", "git clean -fd", "git clean -df"),
  ...createTaxonomyRows("git-discard", "high", "git clean -fx", "git clean -xf", "git clean -fdx", "git clean -fxd"),
  ...createTaxonomyRows("git-discard", "high", "git clean -dfx", "git clean -dxf", "git clean -xfd", "git clean -xdf"),
  ...createTaxonomyRows("git-history", "medium", "git push -f", "git push --force-with-lease", "git push --force"),
  ...createTaxonomyRows("git-history", "medium", "git branch -D <name>"),
  ...createTaxonomyRows("git-discard", "medium", "git stash drop"),
  ...createTaxonomyRows("git-discard", "high", "git stash clear"),
  ...createTaxonomyRows(
    "git-history",
    "medium",
    "git push ... -f",
    "git push ... --force-with-lease",
    "git push ... --force",
  ),
  ...createTaxonomyRows(
    "git-history",
    "medium",
    "git push --delete",
    "git push ... --delete",
    "git push -d",
    "git push ... -d",
  ),
  ...createTaxonomyRows("git-discard", "high", "git checkout -f", "git checkout --force"),
  ...createTaxonomyRows(
    "git-discard",
    "medium",
    "git checkout --ours",
    "git checkout --theirs",
    "git worktree remove <path>",
  ),
  ...createTaxonomyRows("git-discard", "high", "git clean -fdq", "git clean -qf"),
];
