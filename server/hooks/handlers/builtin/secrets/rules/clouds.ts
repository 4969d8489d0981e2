/** Clouds and hosting. */
import { assignedValueRule, prefixedTokenRule } from "../rule.ts";
import { AN, BASE64, HEX, LOWER, URL64, UUID } from "./shapes.ts";

const AWS_ID = ["AKIA", "AGPA", "AIDA", "AROA", "AIPA", "ANPA", "ANVA", "ASIA"];
const AWS_SECRET = [
  "secret_access_key",
  "secret-access-key",
  "secretaccesskey",
  "secret access key",
  "aws_secret_key",
  "aws_secret",
  "aws_sec_key",
  "awssecretkey",
];

export const CLOUDS = [
  prefixedTokenRule("aws-access-key-id", AWS_ID, "[A-Z0-9]{16}"),
  prefixedTokenRule("aws-access-key-id-a3t", ["A3T"], "[A-Z0-9]{17}"),
  // The sign may be missing: `aws configure set aws_secret_access_key …`.
  prefixedTokenRule(
    "aws-secret-access-key",
    AWS_SECRET,
    "['\"`\\\\]{0,3}\\s{0,30}(?:=>|:=|=|:)?\\s{0,30}['\"`\\\\]{0,3}([A-Za-z0-9/+=]{40})",
    { anyCase: true },
  ),
  prefixedTokenRule("aws-bedrock-key", [["ABSK", "QmVkcm9ja0FQSUtleS"].join("")], `${BASE64}{40,180}`),
  prefixedTokenRule("aws-bedrock-short-key", ["bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t"], `${BASE64}{20,400}`),
  prefixedTokenRule("google-api-key", ["AIza"], `${URL64}{35}`),
  prefixedTokenRule("google-oauth-secret", ["GOCSPX-"], `${URL64}{28}`),
  prefixedTokenRule("azure-storage-key", ["AccountKey="], "([A-Za-z0-9+/]{86}==)", { anyCase: true }),
  prefixedTokenRule("azure-ad-secret", ["Q~"], "[a-zA-Z0-9_~.-]{31,34}", { before: ["[a-zA-Z0-9_~.]", 4, 4] }),
  prefixedTokenRule("digitalocean", ["dop_v1_", "doo_v1_", "dor_v1_"], `${HEX}{64}`),
  prefixedTokenRule("alibaba-access-key-id", ["LTAI"], `${AN}{20}`),
  assignedValueRule("alibaba-secret", ["alibaba", "aliyun"], `${LOWER}{30}`),
  prefixedTokenRule("yandex-api-key", ["AQVN"], `${URL64}{35,38}`),
  assignedValueRule("heroku-uuid", ["heroku"], UUID),
  prefixedTokenRule("heroku", ["HRKU-AA"], `${URL64}{58}`),
  prefixedTokenRule("fly", ["FlyV1 fm2_", "fm2_"], "[a-zA-Z0-9+/=,_-]{40,400}"),
  prefixedTokenRule("vercel", ["vcp_", "vck_", "vci_"], `${AN}{20,80}`),
  prefixedTokenRule("netlify", ["nfp_"], `${AN}{40}`),
  prefixedTokenRule("render", ["rnd_"], `${AN}{30,80}`),
  prefixedTokenRule("scalingo", ["tk-us-", "tk-eu-", "tk-osc-"], `(?:[a-z0-9]{1,8}-)?${URL64}{48}`),
  prefixedTokenRule("deno", ["ddp_", "ddw_"], `${AN}{36}`),
  assignedValueRule("cloudflare", ["cloudflare"], `(?:${LOWER}{40}|${HEX}{37})`),
  prefixedTokenRule("cloudflare-origin-ca", ["v1.0-"], `${HEX}{24,32}-[a-zA-Z0-9+/=_-]{146}`),
  prefixedTokenRule("openshift", ["sha256~"], `${URL64}{43}`),
  prefixedTokenRule("databricks", ["dapi"], "[a-h0-9]{32}"),
  prefixedTokenRule("planetscale", ["pscale_pw_", "pscale_tkn_"], "[a-zA-Z0-9_.=-]{43}"),
  prefixedTokenRule("planetscale-oauth", ["pscale_oauth_"], "[a-zA-Z0-9_.=-]{32,80}"),
  prefixedTokenRule("supabase", ["sb_secret_"], `${URL64}{31,80}`),
  prefixedTokenRule("akamai", ["akab-"], `${LOWER}{16}-${LOWER}{16}`),
  prefixedTokenRule("cloudinary", ["cloudinary://"], `[0-9]{6,20}:(${URL64}{16,64})@`),
];
