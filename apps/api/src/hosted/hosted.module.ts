import { Inject, Module } from '@nestjs/common';
import { type FlowStore, readFlow } from '@berth/login-flow';
import { AuthConnectionsModule } from '../auth-connections/auth-connections.module.js';
import { FLOW_STORE } from '../auth-connections/flow-store.module.js';
import { EventsModule } from '../events/events.module.js';
import { HostedDoor } from '../request/hosted-door.js';
import { visits } from './hosted-cookie.js';
import { HostedController } from './hosted.controller.js';

@Module({ imports: [AuthConnectionsModule, EventsModule], controllers: [HostedController] })
export class HostedModule {
  constructor(@Inject(HostedDoor) door: HostedDoor, @Inject(FLOW_STORE) store: FlowStore) {
    door.register(async (flowId, cookies) =>
      visits(store.sealer, cookies, flowId) ? ((await readFlow(store, flowId)) ?? undefined) : undefined,
    );
  }
}
