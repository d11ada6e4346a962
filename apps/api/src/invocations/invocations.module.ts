import { Inject, Module } from '@nestjs/common';
import { BrowsersModule } from '../browsers/browsers.module.js';
import { LimitsModule } from '../limits/limits.module.js';
import { PathLookups } from '../request/path-lookups.js';
import { InvocationsController } from './invocations.controller.js';
import { InvocationsRepository } from './invocations.repository.js';
import { InvocationsService } from './invocations.service.js';

@Module({ imports: [BrowsersModule, LimitsModule], controllers: [InvocationsController], providers: [InvocationsService, InvocationsRepository] })
export class InvocationsModule {
  constructor(@Inject(PathLookups) lookups: PathLookups, @Inject(InvocationsService) invocations: InvocationsService) {
    lookups.register('invocation', (wanted, { scope }) => invocations.find(scope.project, wanted));
  }
}
