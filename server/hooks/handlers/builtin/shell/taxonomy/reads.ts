/** Commands known to read and nothing else (taxonomy 0.2). They may disclose: this list is about damage. */
export const READS: readonly string[] = [
  // files
  ...["ls", "ls <path>", "ls -<flags>", "ls -<flags> <path>", "cat <file>", "head <file>", "head -n <n> <file>"],
  ...["tail <file>", "tail -n <n> <file>", "pwd", "stat <file>", "file <file>", "wc <file>", "wc -l <file>"],
  ...["df", "df -h", "du -sh <path>", "tree", "tree <path>"],
  // text
  ...["grep ...", "rg ...", "sort <file>", "uniq <file>"],
  // processes
  ...["ps", "ps -<flags>", "ps aux", "top -n 1", "whoami", "hostname", "uname", "uname -<flags>", "date", "env"],
  ...["printenv", "printenv <var>", "which <cmd>", "type <cmd>"],
  // git
  ...["git status", "git status ...", "git diff", "git diff ...", "git log", "git log ...", "git show", "git show ..."],
  ...["git branch", "git remote", "git remote -v", "git rev-parse ...", "git config --list", "git config --get <key>"],
  "git blame <file>",
  // docker
  ...["docker ps", "docker ps ...", "docker images", "docker images ...", "docker inspect <target>"],
  ...["docker inspect ...", "docker logs <ctr>", "docker logs ...", "docker stats --no-stream", "docker top <ctr>"],
  ...["docker version", "docker info", "docker system df"],
  // kubernetes
  ...["kubectl get ...", "kubectl describe ...", "kubectl logs ...", "kubectl top ...", "kubectl version"],
  ...["kubectl version ...", "kubectl config view"],
  // output
  ...["echo", "echo ...", "printf ...", "basename <path>", "dirname <path>"],
];
