/** Programs that reach other machines. */
import { type Program, READ } from "./program.ts";

const CURL: Program = {
  short: "AbCcdDeEFhHKmoPQrtTuUwxXYyz",
  long: "user-agent cookie cookie-jar data data-ascii data-binary data-raw data-urlencode dump-header referer cert form form-string header config max-time output range telnet-option upload-file user proxy-user write-out proxy request retry retry-delay retry-max-time connect-timeout resolve connect-to interface cacert capath key json url output-dir limit-rate max-redirs noproxy socks5 socks5-hostname unix-socket dns-servers doh-url ciphers tls-max aws-sigv4 oauth2-bearer speed-limit speed-time variable expand-data",
  operands: "none",
  isNetwork: true,
  flags: {
    upload:
      "-d --data --data-ascii --data-binary --data-raw --data-urlencode -F --form --form-string -T --upload-file --json",
    insecure: "-k --insecure",
    output: "-o --output -O --remote-name",
    other_host: "--resolve --connect-to -K --config",
  },
  files: {
    "-o": "write",
    "--output": "write",
    "-T": "read",
    "--upload-file": "read",
    "-K": "read",
    "--config": "read",
    "-c": "write",
    "--cookie-jar": "write",
    "-D": "write",
    "--dump-header": "write",
  },
};
const WGET: Program = {
  short: "aAbBDeIilOopPQRSTtUwX".replace("b", "").replace("S", ""),
  long: "output-document output-file append-output input-file base tries timeout wait user password user-agent header post-data post-file body-data body-file method referer directory-prefix accept reject domains limit-rate load-cookies save-cookies ca-certificate certificate private-key execute quota level cut-dirs dns-timeout connect-timeout read-timeout waitretry",
  operands: "none",
  isNetwork: true,
  flags: {
    upload: "--post-data --post-file --body-data --body-file",
    insecure: "--no-check-certificate",
    recursive: "-r --recursive",
  },
  files: {
    "-O": "write",
    "--output-document": "write",
    "-o": "write",
    "-i": "read",
    "--post-file": "read",
    "--body-file": "read",
  },
};

export const NETWORK_PROGRAMS: Readonly<Record<string, Program>> = {
  rsync: {
    short: "ef",
    long: "rsh exclude include exclude-from include-from files-from filter log-file bwlimit port password-file temp-dir backup-dir",
    operands: "copy",
    isNetwork: true,
    flags: {
      delete: "--delete --delete-before --delete-after --delete-during --delete-excluded --remove-source-files",
      recursive: "-r --recursive -a --archive",
    },
  },
  scp: { short: "cDFiJloPSX", operands: "copy", isNetwork: true, flags: { recursive: "-r" } },
  sftp: { short: "bBcDFiJloPRSsX", operands: "remote", isNetwork: true },
  ssh: { short: "BbcDEeFIiJLlmOopQRSWw", operands: "remote", isNetwork: true, files: { "-i": "read", "-F": "read" } },
  "ssh-copy-id": { short: "ipoF", operands: "remote", isNetwork: true },
  "ssh-add": READ,
  "ssh-keygen": { short: "abCEFfIGKmNOPrRstTUVwYzZ".replace(/[UYG]/g, ""), operands: "none", files: { "-f": "write" } },
  telnet: { operands: "remote", isNetwork: true },
  ftp: { operands: "remote", isNetwork: true },
  nc: {
    short: "eghiIklmoOpPqsTVwWxX".replace(/[hkl]/g, ""),
    operands: "remote",
    isNetwork: true,
    flags: { listen: "-l --listen", execute: "-e -c --exec --sh-exec" },
  },
  ncat: {
    short: "cegGimopstwx",
    long: "exec sh-exec proxy",
    operands: "remote",
    isNetwork: true,
    flags: { listen: "-l --listen", execute: "-e -c --exec --sh-exec" },
  },
  netcat: {
    short: "eghiopqswx",
    operands: "remote",
    isNetwork: true,
    flags: { listen: "-l --listen", execute: "-e -c" },
  },
  socat: { operands: "remote", isNetwork: true },
  ping: { short: "cIiMmQSstTWw".replace(/[sS]/g, ""), operands: "remote", isNetwork: true },
  dig: { operands: "remote", isNetwork: true },
  nslookup: { operands: "remote", isNetwork: true },
  host: { operands: "remote", isNetwork: true },
  curl: CURL,
  wget: WGET,
  aria2c: { short: "oditjxsk", long: "out dir", operands: "none", isNetwork: true, files: { "-o": "write" } },
  http: { operands: "remote", isNetwork: true },
  https: { operands: "remote", isNetwork: true },
  httpie: { operands: "remote", isNetwork: true },
  xh: { operands: "remote", isNetwork: true },
  lynx: { operands: "remote", isNetwork: true },
  links: { operands: "remote", isNetwork: true },
  elinks: { operands: "remote", isNetwork: true },
  w3m: { short: "TIOlo", operands: "remote", isNetwork: true },
};
