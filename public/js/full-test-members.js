/** The experiments that can be parts of a full test, in the order of its lines, for the pages that measure or show one. */
import { createFullTest } from '../../core/full-test/index.js';
import { withoutComparison as shootout } from '../../core/experiments/shootout/index.js';
import { jobs } from '../../core/experiments/jobs/index.js';
import { withoutLead as reach } from '../../core/experiments/reach/index.js';
import { payload } from '../../core/experiments/payload/index.js';
import { withoutLead as cuts } from '../../core/experiments/cuts/index.js';
import { withoutLead as underLoad } from '../../core/experiments/under-load/index.js';
import { stream } from '../../core/experiments/stream/index.js';
import { inFlight } from '../../core/experiments/in-flight/index.js';
import { fixedRate } from '../../core/experiments/fixed-rate/index.js';

export const MEMBERS = Object.freeze([shootout, jobs, reach, payload, cuts, underLoad, stream, inFlight, fixedRate]);

export const fullTest = createFullTest(MEMBERS);
