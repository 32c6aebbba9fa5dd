/** Exposes studies of users to Prometheus: a series for each outcome of the newest studies, whose number is limited. */
import { Gauge, Registry } from 'prom-client';
import { visible } from '../../core/base/foreign-text.js';
import { GOT } from '../../core/field/find.js';

/** Organisers choose labels. */
export const MAX_FIELD_STUDIES = 50;
/** The counters that the metrics need. */
export const FIELD_COUNTERS = Object.freeze(GOT.map((got) => `all got=${got}`));

/**
 * @param {readonly { label: string, counters: ReadonlyMap<string, number> }[]} studies
 * @returns {Promise<string>} in Prometheus's text format; empty without studies
 */
export async function formatFieldStudies(studies) {
  if (studies.length === 0) return '';
  const registry = new Registry();
  const gauge = new Gauge({
    name: 'sockshootout_field_browsers',
    help: 'Browsers of users of organisers’ pages, by the study and the best that they got',
    labelNames: ['label', 'got'],
    registers: [registry],
  });
  for (const { label, counters } of studies)
    for (const [i, got] of GOT.entries())
      gauge.set({ label: visible(label), got }, counters.get(FIELD_COUNTERS[i]) ?? 0);
  return registry.metrics();
}
