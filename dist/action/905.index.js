export const id = 905;
export const ids = [905];
export const modules = {

/***/ 6905:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  reportToApp: () => (/* binding */ reportToApp)
});

// UNUSED EXPORTS: toAppReport

// EXTERNAL MODULE: ./node_modules/@actions/core/lib/core.js + 17 modules
var core = __webpack_require__(8298);
// EXTERNAL MODULE: ./build/js/diagnostics/diagnostic.js
var diagnostic = __webpack_require__(3122);
// EXTERNAL MODULE: ./build/js/files/disk-files.js + 2 modules
var disk_files = __webpack_require__(609);
// EXTERNAL MODULE: ./build/js/git/git.js + 1 modules
var git = __webpack_require__(9959);
// EXTERNAL MODULE: ./build/js/source/escape-text.js
var escape_text = __webpack_require__(6367);
// EXTERNAL MODULE: ./build/js/source/relative-path.js
var relative_path = __webpack_require__(5638);
// EXTERNAL MODULE: ./build/js/status/client/call-app.js
var call_app = __webpack_require__(5223);
// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
// EXTERNAL MODULE: external "node:timers/promises"
var promises_ = __webpack_require__(8500);
;// CONCATENATED MODULE: ./build/js/status/client/send-report.js



const longestPauseMs = 5_000;
/**
 * Sends the report of a run (`POST /v1/project/report`). Never rejects.
 *
 * Retries a temporary failure once. The idempotency key prevents a second record if the first response was lost.
 */
async function sendReport(body, target) {
    const { timeoutMs = 10_000, ...rest } = target;
    const call = { ...rest, path: '/v1/project/report', headers: { 'idempotency-key': (0,external_node_crypto_.randomUUID)() }, body, timeoutMs };
    for (let attempt = 1;; attempt++) {
        const answer = await (0,call_app/* callApp */.i4)(call);
        if (answer.kind === 'answer' && answer.status === 201) {
            const { statusId, detailsUrl } = answer.body ?? {};
            if (typeof statusId === 'string') {
                return { kind: 'reported', statusId, detailsUrl: isWebUrl(detailsUrl) ? detailsUrl : undefined };
            }
        }
        const { reason, hint, mayPass } = (0,call_app/* explainResponse */.j8)(answer);
        const pauseMs = answer.kind === 'answer' ? ((0,call_app/* readRetryAfterMs */.jR)(answer.headers) ?? 500) : 500;
        if (!mayPass || attempt === 2 || pauseMs > longestPauseMs)
            return { kind: 'failed', reason, hint };
        await (0,promises_.setTimeout)(pauseMs);
    }
}
/** The URL becomes a link in the job summary, so it must not contain Markdown syntax. */
function isWebUrl(value) {
    return typeof value === 'string' && /^https?:\/\/[!-~]+$/.test(value) && URL.canParse(value);
}

;// CONCATENATED MODULE: ./build/js/status/update-summary.js

/** The summary of a successful record: `Valid: 3 documents, 214 operations. 2 pages would change.` */
function toValidSummary(counts) {
    const { documents, operations, problems, pages, isWritten = false } = counts;
    const found = problems && problems.warnings + problems.infos > 0 ? `, ${(0,diagnostic/* formatCounts */.gM)(problems)}` : '';
    const valid = `Valid: ${(0,diagnostic/* formatCount */.B4)(documents, 'document')}, ${(0,diagnostic/* formatCount */.B4)(operations, 'operation')}${found}.`;
    if (pages === undefined)
        return valid;
    if (pages === 0)
        return `${valid} All pages are up to date.`;
    return `${valid} ${(0,diagnostic/* formatCount */.B4)(pages, 'page')} ${isWritten ? 'changed' : 'would change'}.`;
}
/**
 * The summary of a record with document errors: the counts of all problems, their location and the first error.
 *
 * @param diagnostics Sorted by location, with at least one error.
 */
function toFailedSummary(diagnostics) {
    const first = diagnostics.find(({ severity }) => severity === 'error');
    if (!first)
        throw new Error('Cannot summarize a failure without an error');
    const files = new Set(diagnostics.map(({ file }) => file));
    const place = `${first.range.start.line}:${first.range.start.column}`;
    const where = files.size === 1 ? first.file : `${files.size} files`;
    const at = files.size === 1 ? place : `${first.file}:${place}`;
    return `Failed: ${(0,diagnostic/* formatCounts */.gM)((0,diagnostic/* countFindings */.Gt)(diagnostics))} in ${where} (first error at ${at}: ${first.message}).`;
}
/** The summary of a run that failed for a reason other than its documents: `Failed: <reason>.` */
function toBrokenSummary(reason) {
    return `Failed: ${reason.replace(/(?<!\.)\.+$/, '')}.`;
}
/** The summary of a run that was lost too often. `lastSeenAt` is ISO 8601. */
function toLostSummary(times, lastSeenAt) {
    const often = times === 1 ? 'once' : times === 2 ? 'twice' : `${times} times`;
    return `Failed: the worker stopped responding ${often}, and the run was not retried (last heartbeat at ${lastSeenAt}).`;
}
const notRun = 'Not run';
/** Whether a summary is one of those below: the update ended without a run. Records contain no other sign of it. */
function isNotRunSummary(summary) {
    return summary.startsWith(notRun);
}
/** The summary of an update that was superseded by a newer one of its branch. `sha` is the newest commit. */
function toSupersededSummary(sha) {
    return `${notRun}: superseded by ${sha.slice(0, 7)}.`;
}
/** The summary of an update over the queue limit of its installation. */
function toQueueFullSummary(most) {
    return `${notRun}: more than ${most.toLocaleString('en-US')} updates of this installation were waiting (INSTALLATION_QUEUED_UPDATES).`;
}

// EXTERNAL MODULE: ./build/js/update/update-results.js + 1 modules
var update_results = __webpack_require__(3513);
// EXTERNAL MODULE: ./build/js/action/action-report.js
var action_report = __webpack_require__(3886);
;// CONCATENATED MODULE: ./build/js/action/app-report.js











/**
 * Reports a run to the app, one record per docs directory. Authenticates with the OIDC token of the workflow or with `app-token`.
 *
 * Never rejects and takes at most half a minute: the run does not fail if the app is unreachable.
 */
async function reportToApp(inputs, event, report, environment) {
    const { appUrl, appToken } = inputs;
    const records = [];
    const fail = (reason, hint, isExpected = false) => {
        return { records, trouble: `Cannot report to \`${appUrl}\`: ${reason}. ${hint}`, isExpected };
    };
    if (appUrl === undefined)
        return { records, trouble: undefined, isExpected: false };
    try {
        if (event.sha === undefined || !event.ref.startsWith('refs/')) {
            return fail('this event has no commit', 'Use `app-url` on pushes and pull requests', true);
        }
        const identity = appToken === undefined ? await (0,call_app/* requestWorkflowToken */.uY)(environment, appUrl) : undefined;
        if (identity?.kind === 'absent') {
            return event.isFork
                ? fail('workflows of forks have no OIDC token', 'Install the app, which checks pull requests from forks', true)
                : fail('the OIDC token is missing', 'Give the job `permissions: id-token: write`, or set the input `app-token`');
        }
        if (identity?.kind === 'failed') {
            return fail(`cannot get an OIDC token: ${identity.reason}`, 'Run the job again, or set the input `app-token`');
        }
        const token = appToken ?? identity?.token ?? '';
        // Masks the token in the log.
        (0,core/* setSecret */.Pq)(token);
        const commit = await readCommit((0,git/* openGit */.zY)(report.boundary), event.sha, event.ref, environment);
        const updates = report.updates.length > 0 ? report.updates : [undefined];
        const files = (0,disk_files/* openDiskFiles */.j)(report.boundary);
        for (const update of updates) {
            const root = update?.root ?? (0,relative_path/* joinPath */.uJ)('', inputs.workingDirectory);
            const body = await toAppReport({ root, update }, report, commit, files);
            const result = await sendReport(body, { url: appUrl, token, proxyVariables: environment });
            if (result.kind === 'failed')
                return fail(result.reason, result.hint);
            records.push({ root, statusId: result.statusId, detailsUrl: result.detailsUrl });
        }
        return { records, trouble: undefined, isExpected: false };
    }
    catch (error) {
        return fail(error instanceof Error ? error.message : String(error), 'Report this bug in openapi-pages with this message');
    }
}
async function readCommit(git, sha, ref, environment) {
    const { code, stdout } = await git.run(['log', '-1', '--format=%B', sha, '--']);
    return { sha, ref, message: code === 0 ? stdout.trim() : '', author: environment['GITHUB_ACTOR'] || 'unknown' };
}
// The limits of the API (docs/status-api.md). The app would reject the whole report if one of them was exceeded.
const summaryCharacters = 1_000;
const lineCharacters = 4_096;
const messageCharacters = 65_536;
const pathsPerList = 20_000;
/** Slightly less than the 4 MiB that the app accepts. */
const bodyBytes = 4_000_000;
/** Creates the body of `POST /v1/project/report` for one docs directory. */
async function toAppReport({ root, update }, report, commit, files) {
    const failures = report.failures.map((failure) => (0,escape_text/* toOneLine */.GX)((0,action_report/* explainFailure */.SP)(failure).message));
    const errors = (0,diagnostic/* countFindings */.Gt)(update?.diagnostics ?? []).errors;
    const logs = [
        ...(update ? (0,update_results/* toUpdateLogs */.s4)(update) : []),
        ...failures,
        ...(report.commitSha === undefined ? [] : [`Committed ${report.commitSha} to ${report.branch ?? ''}`]),
        ...report.addedFiles.slice(0, 50).map((path) => `~ ${path} (written by an earlier step)`),
        ...describeIncompleteList(report.filesChanged),
    ];
    const pages = update?.pages.filter(({ kind }) => kind !== 'unchanged') ?? [];
    const found = update && {
        ...(await (0,update_results/* toUpdateReport */.pR)({ ...update, pages, unchangedPageCount: update.pages.length - pages.length }, files)),
        durationMs: Math.min(86_400_000, Math.round(performance.now())),
    };
    const body = {
        root,
        status: failures.length > 0 || errors > 0 ? 'failure' : 'success',
        summary: truncate(toSummary(failures, errors, update, report), summaryCharacters),
        author: truncate(commit.author, 255),
        logs: logs.map((line) => truncate(line, lineCharacters)),
        commit: {
            sha: commit.sha,
            ref: commit.ref,
            message: commit.message.slice(0, messageCharacters),
            filesChanged: truncateLists(report.filesChanged),
        },
    };
    if (found) {
        // Shrink a large report: first omit source lines, then more and more diagnostics.
        for (const shown of [found, ...[500, 100, 20, 0].map((count) => shrinkReport(found, count))]) {
            if (sizeOf({ ...body, report: shown }) <= bodyBytes)
                return { ...body, report: shown };
        }
    }
    return sizeOf(body) <= bodyBytes ? body : { ...body, commit: { ...body.commit, filesChanged: noFiles } };
}
function shrinkReport(report, count) {
    const findings = report.findings.slice(0, count).map(({ frame, ...finding }) => finding);
    return { ...report, findings, pages: report.pages.slice(0, count * 40) };
}
function toSummary(failures, errors, update, { commitSha }) {
    if (failures[0] !== undefined)
        return toBrokenSummary(failures[0]);
    if (!update)
        return 'Nothing to do.';
    if (errors > 0)
        return toFailedSummary(update.diagnostics);
    const { documents, pages, diagnostics, hasDocsConfig } = update;
    return toValidSummary({
        documents: documents.length,
        operations: documents.reduce((sum, { operationCount }) => sum + operationCount, 0),
        problems: (0,diagnostic/* countFindings */.Gt)(diagnostics),
        ...(hasDocsConfig ? { pages: pages.filter(({ kind }) => kind !== 'kept' && kind !== 'unchanged').length } : {}),
        isWritten: commitSha !== undefined,
    });
}
const noFiles = { added: [], modified: [], removed: [] };
function truncateLists(found) {
    const { added, modified, removed } = found === undefined || found.way === 'all' ? noFiles : found.filesChanged;
    const take = (paths) => paths.filter((path) => path.length <= lineCharacters).slice(0, pathsPerList);
    return { added: take(added), modified: take(modified), removed: take(removed) };
}
/** Explains why the lists of changed files are incomplete, if they are. */
function describeIncompleteList(found) {
    if (found === undefined)
        return [];
    if (found.way === 'all')
        return [`Cannot determine the changed files, so all files are treated as changed: ${found.reason}`];
    const { added, modified, removed } = found.filesChanged;
    const isCut = Math.max(added.length, modified.length, removed.length) > pathsPerList;
    const notes = isCut ? [`The list of changed files is incomplete: it is limited to ${pathsPerList} files of each kind`] : [];
    return found.truncated === undefined ? notes : [`The list of changed files is incomplete: ${found.truncated}`, ...notes];
}
/** Shortens text to one line of limited length, as the API requires. */
function truncate(text, characters) {
    const line = text.replace(/[\x00-\x1f\x7f]+/g, ' ').trim() || '–';
    return line.length > characters ? `${line.slice(0, characters - 1)}…` : line;
}
function sizeOf(body) {
    return Buffer.byteLength(JSON.stringify(body));
}


/***/ })

};
