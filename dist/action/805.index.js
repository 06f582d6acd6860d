export const id = 805;
export const ids = [805];
export const modules = {

/***/ 9805:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  reportToApp: () => (/* binding */ reportToApp)
});

// EXTERNAL MODULE: ./node_modules/@actions/core/lib/core.js + 18 modules
var core = __webpack_require__(5009);
// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
// EXTERNAL MODULE: external "node:timers/promises"
var promises_ = __webpack_require__(8500);
// EXTERNAL MODULE: ./build/js/files/network-reason.js
var network_reason = __webpack_require__(6577);
// EXTERNAL MODULE: ./build/js/files/through-proxy.js
var through_proxy = __webpack_require__(7258);
// EXTERNAL MODULE: ./build/js/text/is-object.js
var is_object = __webpack_require__(2732);
;// CONCATENATED MODULE: ./build/js/client/ask-app.js



/** A record has bounded logs; an answer over this is none of ours. */
const limitBytes = 16 * 1024 * 1024;
/**
 * Makes one call. Never rejects.
 *
 * A redirect is not followed: the answer is the redirect itself, and the token has gone nowhere else.
 */
async function askApp(call) {
    const { address, path, token, headers, body, timeoutMs, proxyVariables } = call;
    try {
        return await (0,through_proxy/* throughProxy */.E)(proxyVariables, async () => {
            const response = await fetch(`${address}${path}`, {
                method: body === undefined ? 'GET' : 'POST',
                redirect: 'manual',
                signal: AbortSignal.timeout(timeoutMs),
                headers: {
                    accept: 'application/json, application/problem+json',
                    'user-agent': 'openapi-pages',
                    ...headers,
                    authorization: `Bearer ${token}`,
                    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
                },
                ...(body === undefined ? {} : { body: JSON.stringify(body) }),
            });
            return { kind: 'answer', status: response.status, headers: response.headers, body: await readObject(response) };
        });
    }
    catch (error) {
        return { kind: 'none', reason: (0,network_reason/* toNetworkReason */.os)(error, timeoutMs), hasBadCertificate: (0,network_reason/* isCertificateFault */.iM)(error) };
    }
}
async function readObject(response) {
    const chunks = [];
    let sizeBytes = 0;
    for await (const chunk of response.body ?? []) {
        sizeBytes += chunk.byteLength;
        if (sizeBytes > limitBytes)
            return undefined;
        chunks.push(chunk);
    }
    try {
        const value = JSON.parse(Buffer.concat(chunks).toString('utf8'));
        return (0,is_object/* isObject */.G)(value) ? value : undefined;
    }
    catch {
        return undefined;
    }
}
/** Milliseconds that `Retry-After` asks to wait; undefined where it does not say so in seconds. */
function readRetryAfterMs(headers) {
    const value = headers.get('retry-after');
    return value !== null && /^\d{1,6}$/.test(value) ? Number(value) * 1000 : undefined;
}

;// CONCATENATED MODULE: ./build/js/client/explain-answer.js
/** Says what an answer that is not the wanted one means. Words of the app are among them: escape them where they are shown. */
function explainAnswer(answer) {
    if (answer.kind === 'none') {
        return answer.hasBadCertificate
            ? { reason: answer.reason, hint: 'for a certificate of your own name its authority in NODE_EXTRA_CA_CERTS', mayPass: false }
            : { reason: answer.reason, hint: 'check the address, and that the app runs', mayPass: true };
    }
    const { status, headers, body } = answer;
    const location = headers.get('location');
    if (status >= 300 && status < 400 && location !== null) {
        return {
            reason: `it redirects to ${location}, and a token is not sent on`,
            hint: 'give the address that it ends at',
            mayPass: false,
        };
    }
    const code = typeof body?.['code'] === 'string' ? body['code'] : undefined;
    const detail = typeof body?.['detail'] === 'string' ? body['detail'] : undefined;
    const requestId = typeof body?.['requestId'] === 'string' ? ` (request ${body['requestId']})` : '';
    // Whatever else answers at an address, a gateway or a page of somebody, has no code of ours.
    if (code === undefined && status < 500 && status !== 429) {
        return {
            reason: `it answered ${status}, not as our app does`,
            hint: 'check that the address is that of an app',
            mayPass: false,
        };
    }
    const said = detail === undefined ? `${status}` : `${status}: ${detail}`;
    return {
        reason: `it answered ${said}${status >= 500 ? requestId : ''}`,
        hint: toHint(status),
        mayPass: status >= 500 || status === 429,
    };
}
function toHint(status) {
    return hints[status] ?? (status >= 500 ? 'the owner of the app finds the cause in its log' : 'see docs/status-api.md, "Errors"');
}
const hints = {
    401: 'the token is unknown, expired or revoked, or a workflow’s token is for another address: use the `BASE_URL` of the app',
    403: 'use a token of the right scope (`openapi-pages token create`), or let the workflow report its own commit only',
    404: 'install the app on this repository, and check the docs root; what is not yours looks like what is not there',
    413: 'the report is too large for the app',
    422: 'see what the app says',
    429: 'the app is asked too often: ask less often, or raise its limits',
};

;// CONCATENATED MODULE: ./build/js/client/report-update.js




const longestPauseMs = 5_000;
/**
 * Sends the report of a run (`POST /v1/project/report`). Never rejects.
 *
 * What may pass is tried once more; the key makes sure that an answer that was lost on the way is not a second record.
 */
async function reportUpdate(body, target) {
    const { timeoutMs = 10_000, ...rest } = target;
    const call = { ...rest, path: '/v1/project/report', headers: { 'idempotency-key': (0,external_node_crypto_.randomUUID)() }, body, timeoutMs };
    for (let attempt = 1;; attempt++) {
        const answer = await askApp(call);
        if (answer.kind === 'answer' && answer.status === 201) {
            const { statusId, detailsUrl } = answer.body ?? {};
            if (typeof statusId === 'string') {
                return { kind: 'reported', statusId, detailsUrl: isWebAddress(detailsUrl) ? detailsUrl : undefined };
            }
        }
        const { reason, hint, mayPass } = explainAnswer(answer);
        const pauseMs = answer.kind === 'answer' ? (readRetryAfterMs(answer.headers) ?? 500) : 500;
        if (!mayPass || attempt === 2 || pauseMs > longestPauseMs)
            return { kind: 'failed', reason, hint };
        await (0,promises_.setTimeout)(pauseMs);
    }
}
/** The address becomes a link in the summary of the job, so it is nothing but an address. */
function isWebAddress(value) {
    return typeof value === 'string' && /^https?:\/\/[!-~]+$/.test(value) && URL.canParse(value);
}

;// CONCATENATED MODULE: ./build/js/client/request-workflow-token.js

/**
 * Asks GitHub for the OIDC token of the running workflow, good for one app alone: its audience is the app's address, so that nobody
 * who gets it, the app itself included, can use it elsewhere.
 *
 * Source: "OpenID Connect", "Requesting the JWT using environment variables". Not by `core.getIDToken`, which tries ten times
 * and knows no limit of time.
 */
async function requestWorkflowToken(environment, audience, timeoutMs = 10_000) {
    const url = environment['ACTIONS_ID_TOKEN_REQUEST_URL'];
    const requestToken = environment['ACTIONS_ID_TOKEN_REQUEST_TOKEN'];
    if (!url || !requestToken || !URL.canParse(url))
        return { kind: 'absent' };
    const { origin, pathname, searchParams } = new URL(url);
    searchParams.set('audience', audience);
    const path = `${pathname}?${searchParams}`;
    const answer = await askApp({ address: origin, path, token: requestToken, timeoutMs, proxyVariables: environment });
    if (answer.kind === 'none')
        return { kind: 'failed', reason: answer.reason };
    const token = answer.body?.['value'];
    if (answer.status === 200 && typeof token === 'string' && token !== '')
        return { kind: 'token', token };
    return { kind: 'failed', reason: `GitHub answered ${answer.status}` };
}

// EXTERNAL MODULE: ./build/js/files/disk-files.js + 1 modules
var disk_files = __webpack_require__(4885);
// EXTERNAL MODULE: ./build/js/git/git.js + 1 modules
var git = __webpack_require__(9959);
// EXTERNAL MODULE: ./build/js/text/relative-path.js
var relative_path = __webpack_require__(7996);
// EXTERNAL MODULE: ./build/js/diagnostic/count-findings.js
var count_findings = __webpack_require__(7438);
;// CONCATENATED MODULE: ./build/js/status/update-summary.js
/** The one line of a record that ended well: `Valid: 3 documents, 214 operations. 2 pages would change.` */
function toValidSummary(counts) {
    const { documents, operations, warnings = 0, pages, isWritten = false } = counts;
    const valid = `Valid: ${count(documents, 'document')}, ${count(operations, 'operation')}${warnings ? `, ${count(warnings, 'warning')}` : ''}.`;
    if (pages === undefined)
        return valid;
    if (pages === 0)
        return `${valid} All pages are up to date.`;
    return `${valid} ${count(pages, 'page')} ${isWritten ? 'changed' : 'would change'}.`;
}
/**
 * The one line of a record whose documents have errors: how many, where, and the first.
 *
 * @param diagnostics Sorted by place; at least one of level error.
 */
function toFailedSummary(diagnostics) {
    const errors = diagnostics.filter((diagnostic) => diagnostic.severity === 'error');
    const first = errors[0];
    if (!first)
        throw new Error('Cannot sum up a failure without an error');
    const files = new Set(errors.map((error) => error.file));
    const place = `${first.range.start.line}:${first.range.start.column}`;
    const where = files.size === 1 ? first.file : `${files.size} files`;
    const at = files.size === 1 ? place : `${first.file}:${place}`;
    return `Failed: ${count(errors.length, 'error')} in ${where} (first at ${at}: ${first.message}).`;
}
/** A run that could not be carried out, whatever the documents say: `Failed: <reason>.` */
function toBrokenSummary(reason) {
    return `Failed: ${reason.replace(/(?<!\.)\.+$/, '')}.`;
}
/** A run whose worker went away too often. `lastSeenAt` is ISO 8601. */
function toLostSummary(times, lastSeenAt) {
    const often = times === 1 ? 'once' : times === 2 ? 'twice' : `${times} times`;
    return `Failed: the run was lost ${often} and not retried again (worker last heard of at ${lastSeenAt}).`;
}
/** One of too many waiting updates of a branch. `sha` is the newest one's. */
function toSupersededSummary(sha) {
    return `Not run: superseded by ${sha.slice(0, 7)}.`;
}
/** One of too many waiting updates of an installation. */
function toQueueFullSummary(most) {
    return `Not run: more than ${most.toLocaleString('en-US')} updates of this installation were waiting (INSTALLATION_QUEUED_UPDATES).`;
}
function count(value, noun) {
    return `${value.toLocaleString('en-US')} ${noun}${value === 1 ? '' : 's'}`;
}

// EXTERNAL MODULE: ./build/js/text/to-one-line.js
var to_one_line = __webpack_require__(7529);
// EXTERNAL MODULE: ./build/js/diagnostic/by-severity.js
var by_severity = __webpack_require__(3327);
;// CONCATENATED MODULE: ./build/js/update/to-update-logs.js


/** A record's log has room for 64 KiB in all, also for what a run did; its page shows the rest. */
const listedFindings = 30;
const listedPages = 50;
/** The lines of an update for the log of its record: each document, the first findings, the first pages. */
function toUpdateLogs({ documents, diagnostics, pages }) {
    return [...documents.map(describeDocument), ...listFindings(diagnostics), ...listPages(pages)];
}
/** The first findings, errors before warnings and infos, one line each; the last line counts those that are left out. */
function listFindings(diagnostics) {
    const kept = (0,by_severity/* bySeverity */.N)(diagnostics).slice(0, listedFindings);
    const lines = kept.map(({ file, range, severity, code, message, hint }) => {
        const place = `${file}:${range.start.line}:${range.start.column}`;
        // A hint may show a whole file to paste; the log has its first line.
        const words = hint === undefined ? '' : ` (${hint.split('\n', 1)[0]})`;
        return `${place} ${severity} ${code}: ${message}${words}`;
    });
    const hidden = diagnostics.length - lines.length;
    return hidden > 0 ? [...lines, `… and ${(0,count_findings/* formatCount */.B4)(hidden, 'more finding')}`] : lines;
}
function describeDocument({ path, version, operationCount, errorCount, warningCount, knownCount, valid, }) {
    const parts = [
        ...(version === undefined ? [] : [`OpenAPI ${version}`]),
        (0,count_findings/* formatCount */.B4)(operationCount, 'operation'),
        ...(errorCount > 0 ? [(0,count_findings/* formatCount */.B4)(errorCount, 'error')] : []),
        ...(errorCount === 0 && valid ? ['valid'] : []),
        ...(knownCount === undefined ? [] : [(0,count_findings/* formatCount */.B4)(knownCount, 'known problem')]),
        ...(warningCount > 0 ? [(0,count_findings/* formatCount */.B4)(warningCount, 'warning')] : []),
    ];
    return `${path}: ${parts.join(', ')}`;
}
const signs = { added: '+', modified: '~', removed: '-', kept: '=' };
function listPages(pages) {
    const lines = pages.flatMap(({ kind, path, operation, detail }) => kind === 'unchanged' ? [] : [`${signs[kind]} ${path} ${operation}${detail === undefined ? '' : ` (${detail})`}`]);
    const hidden = lines.length - listedPages;
    return hidden > 0 ? [...lines.slice(0, listedPages), `… and ${(0,count_findings/* formatCount */.B4)(hidden, 'more page')}`] : lines;
}

// EXTERNAL MODULE: ./build/js/diagnostic/format-json.js
var format_json = __webpack_require__(4015);
// EXTERNAL MODULE: ./build/js/text/source-file.js
var source_file = __webpack_require__(4498);
;// CONCATENATED MODULE: ./build/js/update/update-report.js
/** At most this many findings are kept. */
const keptFindings = 500;

;// CONCATENATED MODULE: ./build/js/update/to-update-report.js






/** Lines shown before and after a finding. */
const around = 2;
const lineCharacters = 400;
const textCharacters = 4_096;
const keptDocuments = 2_000;
const keptPages = 20_000;
/**
 * What is kept beside a record: counts of everything, the first findings with the lines around them.
 *
 * The findings are those that count most, in the order of the diagnostics within one severity.
 */
async function toUpdateReport(found, files) {
    const { documents, pages, diagnostics, unchangedPageCount } = found;
    const kept = (0,by_severity/* bySeverity */.N)(diagnostics).slice(0, keptFindings);
    const lines = await readLines(new Set(kept.map(({ file }) => file)), files);
    const { errors, warnings, infos } = (0,count_findings/* countFindings */.Gt)(diagnostics);
    return {
        documents: documents
            .slice(0, keptDocuments)
            .map(({ path, version, operationCount, errorCount, warningCount, infoCount }) => ({
            path: cut(path),
            ...(version === undefined ? {} : { version: version.slice(0, 50) }),
            operationCount,
            errorCount,
            warningCount,
            infoCount,
        })),
        pages: pages
            .slice(0, keptPages)
            .flatMap(({ kind, path, operation, detail }) => kind === 'unchanged'
            ? []
            : [{ kind, path: cut(path), operation: cut(operation), ...(detail === undefined ? {} : { detail: cut(detail) }) }]),
        unchangedPageCount,
        findings: kept.map((diagnostic) => toReportedFinding(diagnostic, lines.get(diagnostic.file))),
        findingCounts: { error: errors, warning: warnings, info: infos },
    };
}
function toReportedFinding(diagnostic, lines) {
    const { message, file, pointer, hint, related, ...rest } = (0,format_json/* toDiagnosticJson */.HN)(diagnostic);
    const { start, end } = diagnostic.range;
    const firstLine = Math.max(1, start.line - around);
    const shown = lines?.slice(firstLine - 1, start.line + around).map((line) => line.slice(0, lineCharacters));
    return {
        ...rest,
        message: cut(message),
        file: cut(file),
        endLine: Math.max(start.line, end.line),
        pointer: cut(pointer),
        ...(hint === undefined ? {} : { hint: cut(hint) }),
        ...(related === undefined
            ? {}
            : {
                related: related.slice(0, 20).map((place, index) => {
                    const range = diagnostic.related[index]?.range ?? diagnostic.range;
                    const { line, column } = range.end;
                    return { ...place, file: cut(place.file), message: cut(place.message), endLine: line, endColumn: column };
                }),
            }),
        ...(shown === undefined || shown.length === 0 ? {} : { frame: { firstLine, lines: shown } }),
    };
}
async function readLines(paths, files) {
    const lines = new Map();
    for (const path of paths) {
        const result = (0,relative_path/* isUrl */.gU)(path) ? undefined : await files.read(path);
        if (result?.kind === 'file')
            lines.set(path, (0,source_file/* toSourceFile */.lV)(path, result.bytes).text.split(/\r\n|\n|\r/));
    }
    return lines;
}
function cut(text) {
    return text.length > textCharacters ? `${text.slice(0, textCharacters - 1)}…` : text;
}

// EXTERNAL MODULE: ./build/js/action/explain-failure.js
var explain_failure = __webpack_require__(4197);
;// CONCATENATED MODULE: ./build/js/action/to-app-report.js






// The limits of the API (docs/status-api.md); what is over one is cut here, as a refusal would lose all of it.
const summaryCharacters = 1_000;
const to_app_report_lineCharacters = 4_096;
const messageCharacters = 65_536;
const pathsPerList = 20_000;
/** Somewhat under the 4 MiB that the app takes. */
const bodyBytes = 4_000_000;
/** The body of `POST /v1/project/report` for one docs root: its record, and what its page shows. */
async function toAppReport({ root, update }, report, commit, files) {
    const failures = report.failures.map((failure) => (0,to_one_line/* toOneLine */.G)((0,explain_failure/* explainFailure */.S)(failure).message));
    const errors = (0,count_findings/* countFindings */.Gt)(update?.diagnostics ?? []).errors;
    const logs = [
        ...(update ? toUpdateLogs(update) : []),
        ...failures,
        ...(report.commitSha === undefined ? [] : [`Committed ${report.commitSha} to ${report.branch ?? ''}`]),
        ...report.addedFiles.slice(0, 50).map((path) => `~ ${path} (part of the commit as an earlier step wrote it)`),
        ...sayIncomplete(report.filesChanged),
    ];
    const pages = update?.pages.filter(({ kind }) => kind !== 'unchanged') ?? [];
    const found = update && {
        ...(await toUpdateReport({ ...update, pages, unchangedPageCount: update.pages.length - pages.length }, files)),
        durationMs: Math.min(86_400_000, Math.round(performance.now())),
    };
    const body = {
        root,
        status: failures.length > 0 || errors > 0 ? 'failure' : 'success',
        summary: to_app_report_cut(toSummary(failures, errors, update, report), summaryCharacters),
        author: to_app_report_cut(commit.author, 255),
        logs: logs.map((line) => to_app_report_cut(line, to_app_report_lineCharacters)),
        commit: {
            sha: commit.sha,
            ref: commit.ref,
            message: commit.message.slice(0, messageCharacters),
            filesChanged: cutLists(report.filesChanged),
        },
    };
    if (found) {
        // Rather less to show than no record: first without the lines around findings, then with ever fewer of them.
        for (const shown of [found, ...[500, 100, 20, 0].map((count) => toLight(found, count))]) {
            if (sizeOf({ ...body, report: shown }) <= bodyBytes)
                return { ...body, report: shown };
        }
    }
    return sizeOf(body) <= bodyBytes ? body : { ...body, commit: { ...body.commit, filesChanged: noFiles } };
}
function toLight(report, count) {
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
        warnings: (0,count_findings/* countFindings */.Gt)(diagnostics).warnings,
        ...(hasDocsConfig ? { pages: pages.filter(({ kind }) => kind !== 'kept' && kind !== 'unchanged').length } : {}),
        isWritten: commitSha !== undefined,
    });
}
const noFiles = { added: [], modified: [], removed: [] };
function cutLists(found) {
    const { added, modified, removed } = found === undefined || found.way === 'all' ? noFiles : found.filesChanged;
    const take = (paths) => paths.filter((path) => path.length <= to_app_report_lineCharacters).slice(0, pathsPerList);
    return { added: take(added), modified: take(modified), removed: take(removed) };
}
/** A record whose lists are cut says so. */
function sayIncomplete(found) {
    if (found === undefined)
        return [];
    if (found.way === 'all')
        return [`Which files changed could not be told, so all count as changed: ${found.reason}`];
    const { added, modified, removed } = found.filesChanged;
    const isCut = Math.max(added.length, modified.length, removed.length) > pathsPerList;
    const cut = isCut ? [`The list of changed files is not complete: only ${pathsPerList} of a kind are kept`] : [];
    return found.truncated === undefined ? cut : [`The list of changed files is not complete: ${found.truncated}`, ...cut];
}
/** On one line of at most so many characters: the API takes no other. */
function to_app_report_cut(text, characters) {
    const line = text.replace(/[\x00-\x1f\x7f]+/g, ' ').trim() || '–';
    return line.length > characters ? `${line.slice(0, characters - 1)}…` : line;
}
function sizeOf(body) {
    return Buffer.byteLength(JSON.stringify(body));
}

;// CONCATENATED MODULE: ./build/js/action/report-to-app.js







/**
 * Tells the app about a run, each docs root with a record of its own, by the identity of the workflow or by `app-token`.
 *
 * Never rejects, and takes half a minute at most: a run does not fail because the app is away.
 */
async function reportToApp(inputs, event, report, environment) {
    const { appUrl: address, appToken } = inputs;
    const records = [];
    const fail = (reason, hint, isExpected = false) => {
        return { records, trouble: `Cannot report to \`${address}\`: ${reason}. The run goes on without; ${hint}`, isExpected };
    };
    if (address === undefined)
        return { records, trouble: undefined, isExpected: false };
    try {
        if (event.sha === undefined || !event.ref.startsWith('refs/')) {
            return fail('this event is about no commit', 'report from a push or a pull request', true);
        }
        const identity = appToken === undefined ? await requestWorkflowToken(environment, address) : undefined;
        if (identity?.kind === 'absent') {
            return event.isFork
                ? fail('a workflow of a fork has no identity', 'the app checks pull requests by itself where it is installed', true)
                : fail('this workflow has no identity', 'give the job `permissions: id-token: write`, or set the input `app-token`');
        }
        if (identity?.kind === 'failed') {
            return fail(`no identity token: ${identity.reason}`, 'run the job again, or set the input `app-token`');
        }
        const token = appToken ?? identity?.token ?? '';
        // Nothing that follows can show it, whatever goes wrong.
        (0,core/* setSecret */.Pq)(token);
        const commit = await readCommit((0,git/* openGit */.z)(report.boundary), event.sha, event.ref, environment);
        const updates = report.updates.length > 0 ? report.updates : [undefined];
        const files = (0,disk_files/* openDiskFiles */.j)(report.boundary);
        for (const update of updates) {
            const root = update?.root ?? (0,relative_path/* joinPath */.uJ)('', inputs.workingDirectory);
            const body = await toAppReport({ root, update }, report, commit, files);
            const result = await reportUpdate(body, { address, token, proxyVariables: environment });
            if (result.kind === 'failed')
                return fail(result.reason, result.hint);
            records.push({ root, statusId: result.statusId, detailsUrl: result.detailsUrl });
        }
        return { records, trouble: undefined, isExpected: false };
    }
    catch (error) {
        return fail(error instanceof Error ? error.message : String(error), 'please report this text as a fault of openapi-pages');
    }
}
async function readCommit(git, sha, ref, environment) {
    const { code, stdout } = await git.run(['log', '-1', '--format=%B', sha, '--']);
    return { sha, ref, message: code === 0 ? stdout.trim() : '', author: environment['GITHUB_ACTOR'] || 'unknown' };
}


/***/ })

};
