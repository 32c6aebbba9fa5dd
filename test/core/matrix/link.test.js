import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { linkPath } from '../../../core/experiment/plan/plan-link.js';
import { EXPERIMENTS } from '../../../core/experiments/all.js';
import { fullTest } from '../../../core/full-test/all.js';
import { membersOf } from '../../../core/full-test/plan.js';
import { formatInvitation, linkOfPlan, MAX_SAY, parseInvitation, usualPlan } from '../../../core/matrix/link.js';

const KNOWN = { experiments: EXPERIMENTS, fullTest };
const HOME = 'transports=ajax,sockjs&blocks=6&iterations=9&warmup=0&payload=0&seed=1';

/** @param {string} plan @param {string} [say] */
const read = (plan, say = '') => parseInvitation(new URLSearchParams({ plan, say }), KNOWN);
/** @param {string} plan */
const linkOf = (plan) => linkOfPlan(/** @type {any} */ (read(plan).plan));

describe('the link of a study', () => {
  it('takes a plan of every experiment that answers a question, and gives it back', () => {
    for (const member of membersOf(EXPERIMENTS)) {
      const plan = member.fullTest.quickPlan(/** @type {any} */ ({ uses: 'ajax', considers: 'sockjs', does: 'asks' }), {
        roundTripMs: 50,
        seed: 7,
      });
      const link = linkPath(member, plan);
      assert.equal(linkOf(`https://elsewhere.example${link}`), link, member.name);
      assert.match(
        String(read(link).plan?.duration),
        /^(about |up to |[1-9]\d* s to |[\d.]+–)[\d.]+ (s|min)$/,
        member.name,
      );
      const { plan: again } = parseInvitation(new URLSearchParams(formatInvitation(read(link))), KNOWN);
      assert.equal(linkOfPlan(/** @type {any} */ (again)), link, member.name);
    }
  });

  it('takes one of the full test, and leaves each place the plan that fits its distance', () => {
    assert.equal(
      linkOf('/all?page=asks&every=5000&tests=jobs,reach&autostart=1'),
      '/all?page=asks&every=5000&tests=jobs,reach',
    );
    assert.equal(linkOf('/all'), '/all');
    assert.equal(linkOf('/?page=sends'), '/?page=sends');
    assert.equal(linkOfPlan(usualPlan(KNOWN)), '/all');
  });

  it('takes as long as the home page says, if it has the plan of the home page', () => {
    const [home, chosen] = ['/?page=asks-and-sends', '/?page=asks-and-sends&tests=shootout,jobs'].map(
      (plan) => read(plan).plan,
    );
    assert.equal(home?.duration, chosen?.duration);
    assert.equal(home?.description, chosen?.description);
    assert.notEqual(home?.duration, read('/all?page=asks-and-sends').plan?.duration);
  });

  it('is for what others measured, if nobody chose another', () => {
    const asked = [['jobs', 'shootout'], ['jobs'], ['reach', 'jobs']].map((measured) => usualPlan(KNOWN, measured));
    assert.deepEqual(asked.map(linkOfPlan), ['/?tests=shootout,jobs', '/?tests=jobs', '/all?tests=jobs,reach']);
  });

  it('takes the home page’s plan in the query itself, as earlier releases wrote it', () => {
    const { plan } = parseInvitation(new URLSearchParams(HOME), KNOWN);
    assert.equal(plan && linkOfPlan(plan), `/?${HOME}`);
    assert.equal(linkOf(`?${HOME}`), `/?${HOME}`);
    assert.equal(parseInvitation(new URLSearchParams('x=1'), KNOWN).plan, undefined);
  });

  it('refuses any other link, and a plan that its page would refuse', () => {
    for (const link of [
      'nonsense',
      '/nowhere?a=1',
      '/ajaxtest',
      '/countdown?n=1',
      'javascript:alert(1)',
      `/?${'x'.repeat(5000)}`,
    ]) {
      assert.throws(() => read(link), { message: /^plan: expected a link to a plan of / }, link);
    }
    assert.throws(() => read('/?transports=ajax,sockjs&blocks=2&iterations=5&seed=1'), { message: /blocks: expected/ });
  });

  it('has one sentence of at most 200 characters', () => {
    assert.equal(read('', ' Please measure. ').say, 'Please measure.');
    assert.equal(read('', '👩'.repeat(MAX_SAY)).say.length, 2 * MAX_SAY);
    for (const say of ['x'.repeat(MAX_SAY + 1), 'a\u202eb', 'a\nb']) {
      assert.throws(() => read('', say), { message: /^say: expected at most 200 characters/ });
    }
  });
});
