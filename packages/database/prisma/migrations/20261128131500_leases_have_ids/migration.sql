-- The id of the acquire that leased a pool's browser: whoever takes the Idempotency-Key of a dead process over finds its lease.
ALTER TABLE "browser_sessions" ADD COLUMN "lease_id" TEXT;
