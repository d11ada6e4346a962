import { Module } from '@nestjs/common';
import { Bootstrap } from './bootstrap.js';

@Module({ providers: [Bootstrap] })
export class BootstrapModule {}
