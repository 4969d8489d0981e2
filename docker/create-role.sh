#!/bin/sh
# Run once by the image of PostgreSQL, in an empty data directory: the role that owns the database, which is no superuser.
set -eu

password=$(cat "${DATABASE_PASSWORD_FILE:-/run/secrets/database-password}")
psql --set=ON_ERROR_STOP=1 --set=password="$password" --username=postgres --dbname=postgres <<'SQL'
CREATE ROLE quarterdeck LOGIN PASSWORD :'password' NOSUPERUSER NOBYPASSRLS;
CREATE DATABASE quarterdeck OWNER quarterdeck;
SQL
