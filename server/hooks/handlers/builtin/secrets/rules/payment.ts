/** Payment. Publishable keys (`pk_`) are public and stay. */
import { assignedValueRule, prefixedTokenRule } from "../rule.ts";
import { AN, HEX, LOWER, URL64, UUID } from "./shapes.ts";

const STRIPE = ["sk_test_", "sk_live_", "sk_prod_", "rk_test_", "rk_live_", "rk_prod_"];

export const PAYMENT = [
  prefixedTokenRule("stripe", STRIPE, `${AN}{10,250}`),
  prefixedTokenRule("stripe-webhook", ["whsec_"], "[a-zA-Z0-9+/]{32,200}={0,2}"),
  prefixedTokenRule("stripe-payment-intent", ["pi_"], `${AN}{24}_secret_${AN}{25}`),
  prefixedTokenRule("square-access", ["sq0atp-"], `${URL64}{22}`),
  prefixedTokenRule("square-secret", ["sq0csp-"], `${URL64}{43}`),
  assignedValueRule("square", ["square"], "EAAA[a-z0-9_-]{60}"),
  prefixedTokenRule("razorpay", ["rzp_test_", "rzp_live_"], `${AN}{14}`),
  prefixedTokenRule("plaid-access", ["access-sandbox-", "access-development-", "access-production-"], UUID),
  assignedValueRule("plaid", ["plaid"], `(?:${LOWER}{30}|${LOWER}{24})`),
  prefixedTokenRule("braintree", ["access_token$"], `(?:sandbox|production)\\$${AN}{16}\\$${HEX}{32}`),
  prefixedTokenRule("flutterwave", ["FLWSECK-", "FLWSECK_TEST-", "FLWPUBK-", "FLWPUBK_TEST-"], `${AN}{12,32}(?:-X)?`),
  prefixedTokenRule("gocardless", ["live_"], "[a-zA-Z0-9_=-]{40}['\"\\\\]", { before: ["['\"]", 1, 1] }),
  prefixedTokenRule("duffel", ["duffel_test_", "duffel_live_"], "[a-zA-Z0-9_=-]{43}"),
  prefixedTokenRule("easypost", ["EZAK", "EZTK"], `${AN}{54}`),
  prefixedTokenRule("shippo", ["shippo_live_", "shippo_test_"], `${HEX}{40}`),
  assignedValueRule("lob", ["lob"], `(?:live|test)_(?:${HEX}{35}|pub_${HEX}{31})`),
  assignedValueRule("finicity", ["finicity"], `(?:${HEX}{32}|${LOWER}{20})`),
  prefixedTokenRule("ramp-id", ["ramp_id_"], `${AN}{40}`),
  prefixedTokenRule("ramp-secret", ["ramp_sec_"], `${AN}{48}`),
];
