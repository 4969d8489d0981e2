/** Commands that throw work away or rewrite what others have (taxonomy 0.3 and 0.4). */
import { rows } from "./row.ts";

export const GIT = [
  ...rows("git-discard", "high", "git reset --hard", "git checkout -- <path>", "git checkout .", "git restore ."),
  ...rows("git-discard", "medium", "git restore <path>"),
  ...rows("git-discard", "high", "git clean -f", "git clean --force", "git clean -fd", "git clean -df"),
  ...rows("git-discard", "high", "git clean -fx", "git clean -xf", "git clean -fdx", "git clean -fxd"),
  ...rows("git-discard", "high", "git clean -dfx", "git clean -dxf", "git clean -xfd", "git clean -xdf"),
  ...rows("git-history", "medium", "git push -f", "git push --force-with-lease", "git push --force"),
  ...rows("git-history", "medium", "git branch -D <name>"),
  ...rows("git-discard", "medium", "git stash drop"),
  ...rows("git-discard", "high", "git stash clear"),
  ...rows("git-history", "medium", "git push ... -f", "git push ... --force-with-lease", "git push ... --force"),
  ...rows("git-history", "medium", "git push --delete", "git push ... --delete", "git push -d", "git push ... -d"),
  ...rows("git-discard", "high", "git checkout -f", "git checkout --force"),
  ...rows("git-discard", "medium", "git checkout --ours", "git checkout --theirs", "git worktree remove <path>"),
  ...rows("git-discard", "high", "git clean -fdq", "git clean -qf"),
];
