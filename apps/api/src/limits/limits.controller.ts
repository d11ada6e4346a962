import { Controller, Inject } from '@nestjs/common';
import type { ProjectRow } from '@berth/database';
import {
  endpoints,
  type OrganizationLimits,
  type ProjectLimits,
  type UpdateOrganizationLimits,
  type UpdateProjectLimits,
} from '@berth/schema';
import type { ResolvedScope } from '../request/context.js';
import { InScope, ParsedBody, PathRow, Serves } from '../request/serves.js';
import { LimitsService } from './limits.service.js';

@Controller()
export class LimitsController {
  constructor(@Inject(LimitsService) private readonly limits: LimitsService) {}

  @Serves(endpoints.getOrganizationLimits)
  ofOrganization(@InScope() scope: ResolvedScope): Promise<OrganizationLimits> {
    return this.limits.ofOrganization(scope.organization);
  }

  @Serves(endpoints.updateOrganizationLimits)
  setOfOrganization(@InScope() scope: ResolvedScope, @ParsedBody() body: UpdateOrganizationLimits): Promise<OrganizationLimits> {
    return this.limits.setOfOrganization(scope.organization, body);
  }

  @Serves(endpoints.getProjectLimits)
  ofProject(@InScope() scope: ResolvedScope, @PathRow() project: ProjectRow): Promise<ProjectLimits> {
    return this.limits.ofProject(scope.organization, project.id);
  }

  @Serves(endpoints.updateProjectLimits)
  setOfProject(
    @InScope() scope: ResolvedScope,
    @PathRow() project: ProjectRow,
    @ParsedBody() body: UpdateProjectLimits,
  ): Promise<ProjectLimits> {
    return this.limits.setOfProject(scope.organization, project.id, body);
  }
}
