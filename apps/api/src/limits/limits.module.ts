import { Module } from '@nestjs/common';
import { Caps } from './caps.js';

@Module({ providers: [Caps], exports: [Caps] })
export class LimitsModule {}
