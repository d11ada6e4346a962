import { Global, Module } from '@nestjs/common';
import { IdempotencyRecords } from './idempotency-records.js';

/** Global, because every controller with an idempotent endpoint has the interceptor (`Serves`). */
@Global()
@Module({ providers: [IdempotencyRecords], exports: [IdempotencyRecords] })
export class IdempotencyModule {}
