/* The threads of a relay: what would hold up its event loop is done here. */
import { handlers } from '../../relay/execution/job-handlers.ts';
import { serveJobs } from '../workers/serve-jobs.ts';

export const work = serveJobs(handlers);
