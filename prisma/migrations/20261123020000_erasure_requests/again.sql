DROP FUNCTION IF EXISTS quarterdeck_empty_month;
-- The former release recorded contents that a standing request wants erased, where the request does not follow: it walks anew.
UPDATE erasure_request SET state = 'running', position = NULL, held = 0 WHERE state = 'standing';
