import { Module } from '@nestjs/common';
import { Caps } from './caps.js';
import { LimitsController } from './limits.controller.js';
import { LimitsService } from './limits.service.js';

@Module({ controllers: [LimitsController], providers: [Caps, LimitsService], exports: [Caps] })
export class LimitsModule {}
