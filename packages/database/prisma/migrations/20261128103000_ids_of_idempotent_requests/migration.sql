-- The id of what a request with an Idempotency-Key makes is chosen with its claim: whoever takes the claim of a dead process over makes it under the same id, or finds it made.
ALTER TABLE "idempotency_records" ADD COLUMN "resource_id" TEXT;
UPDATE "idempotency_records" SET "resource_id" = "claim_id";
ALTER TABLE "idempotency_records" ALTER COLUMN "resource_id" SET NOT NULL;
