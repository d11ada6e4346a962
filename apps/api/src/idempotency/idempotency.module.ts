import { Global, Module } from '@nestjs/common';
import { IdempotencyRecords } from './idempotency-records.js';
import { MadeBefore } from './made-before.js';

/** Global, because every controller with an idempotent endpoint has the interceptor (`Serves`), and its feature registers what it makes. */
@Global()
@Module({ providers: [IdempotencyRecords, MadeBefore], exports: [IdempotencyRecords, MadeBefore] })
export class IdempotencyModule {}
