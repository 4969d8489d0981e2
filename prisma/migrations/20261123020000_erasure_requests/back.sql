-- The former release empties months by this function.
CREATE OR REPLACE FUNCTION quarterdeck_empty_month(month regclass) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF current_setting('quarterdeck.workspace', true) IS DISTINCT FROM '*' THEN
    RAISE EXCEPTION 'a month belongs to every workspace' USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF NOT EXISTS (SELECT FROM pg_inherits WHERE inhrelid = month AND inhparent = 'dispatch'::regclass) THEN
    RAISE EXCEPTION '% is no month of dispatch', month;
  END IF;
  EXECUTE format('TRUNCATE %s', month);
END $$;
REVOKE EXECUTE ON FUNCTION quarterdeck_empty_month FROM PUBLIC;
-- Notices of who writes to a month that is about to be dropped: the former release drops none.
DELETE FROM closing_month;
