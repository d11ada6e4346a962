import { Inject, Module } from '@nestjs/common';
import { endpoints } from '@berth/schema';
import { MadeBefore } from '../idempotency/made-before.js';
import { PathLookups } from '../request/path-lookups.js';
import { projectView } from './project-view.js';
import { ProjectsController } from './projects.controller.js';
import { ProjectsRepository } from './projects.repository.js';
import { ProjectsService } from './projects.service.js';

@Module({ controllers: [ProjectsController], providers: [ProjectsRepository, ProjectsService] })
export class ProjectsModule {
  constructor(
    @Inject(PathLookups) lookups: PathLookups,
    @Inject(MadeBefore) made: MadeBefore,
    @Inject(ProjectsRepository) repository: ProjectsRepository,
  ) {
    // Archived ones are found too: they can be read, patched and reactivated (D20). A bound key sees its own project only (D6).
    lookups.register('project', async (wanted, { principal, scope }) => {
      const project = await repository.find(scope.organization, wanted);
      return project === null || (principal.boundProjectId !== null && project.id !== principal.boundProjectId) ? undefined : project;
    });
    made.register(endpoints.createProject, async (id, { scope }) => {
      const project = await repository.find(scope.organization, id);
      return project === null ? undefined : projectView(project);
    });
  }
}
