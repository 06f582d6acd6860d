export const id = 841;
export const ids = [841];
export const modules = {

/***/ 4222:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  useBaseline: () => (/* binding */ useBaseline)
});

// EXTERNAL MODULE: ./build/js/source/is-object.js
var is_object = __webpack_require__(522);
// EXTERNAL MODULE: ./build/js/source/json-pointer.js
var json_pointer = __webpack_require__(8650);
// EXTERNAL MODULE: ./build/js/source/relative-path.js
var relative_path = __webpack_require__(5638);
// EXTERNAL MODULE: ./build/js/diagnostics/codes.js
var codes = __webpack_require__(6991);
;// CONCATENATED MODULE: ./build/js/diagnostics/baseline.js




const baselineVersion = 1;
/** Codes of temporary problems, and of problems with the baseline itself. */
const transientCodes = new Set([
    'docs-config-missing',
    'file-unreadable',
    'file-outside-boundary',
    'url-unreachable',
    'url-refused',
    'baseline-unusable',
]);
/**
 * Writes a baseline: versioned JSON with one sorted entry per line, so that Git can merge two branches. Files are relative to its
 * directory.
 *
 * @param path Path of the baseline, relative to the boundary.
 */
function formatBaseline(entries, path) {
    const folder = (0,relative_path/* parentPath */.yl)(path);
    const lines = entries.map(({ file, code, pointer, message, count }) => {
        return `    ${JSON.stringify([toStored(folder, file), code, pointer, message, count])},\n`;
    });
    // The empty last entry lets every other line end with a comma.
    return `{\n  "version": ${baselineVersion},\n  "problems": [\n${lines.sort().join('')}    []\n  ]\n}\n`;
}
/** Reads a baseline that `formatBaseline` wrote. Returns `undefined` for anything else. */
function parseBaseline(text, path) {
    let value;
    try {
        value = JSON.parse(text.replace(/^\uFEFF/, ''));
    }
    catch {
        return undefined;
    }
    if (!(0,is_object/* isObject */.G)(value) || value['version'] !== baselineVersion || !Array.isArray(value['problems']))
        return undefined;
    const entries = new Map();
    for (const problem of value['problems']) {
        if (!Array.isArray(problem))
            return undefined;
        if (problem.length === 0)
            continue;
        const [file, code, pointer, message, count] = problem;
        const texts = [file, code, pointer, message];
        if (!texts.every((part) => typeof part === 'string') || !Number.isSafeInteger(count) || Number(count) < 1)
            return undefined;
        const [storedFile = '', ...rest] = texts;
        const entry = {
            file: fromStored((0,relative_path/* parentPath */.yl)(path), storedFile),
            code: rest[0] ?? '',
            pointer: rest[1] ?? '',
            message: rest[2] ?? '',
        };
        // A merge of two branches can duplicate an entry.
        const before = entries.get(toKey(entry))?.count ?? 0;
        entries.set(toKey(entry), { ...entry, count: before + Number(count) });
    }
    return [...entries.values()];
}
/** The entries for all problems. Equal diagnostics are counted together. */
function toBaseline(findings) {
    const entries = new Map();
    for (const finding of listProblems(findings)) {
        const entry = toEntry(finding);
        const key = toKey(entry);
        entries.set(key, { ...entry, count: (entries.get(key)?.count ?? 0) + 1 });
    }
    return [...entries.values()];
}
/**
 * Matches diagnostics with the entries of a baseline, up to the count of each. Infos and temporary problems never match.
 *
 * Problems in a renamed component, path or webhook still match if the old name is gone and exactly one new name has the same problems.
 */
function matchBaseline(findings, entries, { covers, exists }) {
    const left = new Map(entries.map((entry) => [toKey(entry), entry]));
    const known = new Set();
    const fresh = [];
    const take = (entry, finding) => {
        const key = toKey(entry);
        const found = left.get(key);
        if (!found)
            return false;
        if (found.count === 1)
            left.delete(key);
        else
            left.set(key, { ...found, count: found.count - 1 });
        known.add(toIdentity(finding));
        return true;
    };
    for (const finding of listProblems(findings))
        if (!take(toEntry(finding), finding))
            fresh.push(finding);
    const renamed = groupByOwner([...left.values()].flatMap((entry) => Array(entry.count).fill(entry)));
    const added = groupByOwner(fresh);
    const named = new Set(entries.map(({ file, pointer }) => toOwner(file, pointer)?.key));
    for (const [key, { owner, members }] of renamed) {
        if (exists(owner.file, owner.pointer))
            continue;
        const signature = toSignature(members, owner.name);
        const same = [...added].filter(([newKey, group]) => {
            return (newKey !== key &&
                !named.has(newKey) &&
                group.owner.kind === owner.kind &&
                toSignature(group.members, group.owner.name) === signature);
        });
        const [only] = same;
        if (!only || same.length > 1)
            continue;
        const before = members.toSorted(byText);
        const after = only[1].members.toSorted(byText);
        before.forEach((entry, index) => {
            const finding = after[index];
            if (finding)
                take(entry, finding);
        });
        added.delete(only[0]);
    }
    return {
        isKnown: (finding) => known.has(toIdentity(finding)),
        knownCount: known.size,
        fixed: [...left.values()].filter(({ file }) => covers(file)),
    };
}
/** Lists the errors and warnings that can be in a baseline, without duplicates. */
function listProblems(findings) {
    const unique = new Map();
    for (const finding of findings) {
        const severity = finding.severity ?? codes/* diagnosticCodes */.GW[finding.code].severity;
        if (severity !== 'info' && !transientCodes.has(finding.code))
            unique.set(toIdentity(finding), finding);
    }
    return [...unique.values()];
}
function toIdentity({ file, code, pointer, message }) {
    return [file, code, pointer, message].join('\n');
}
function toEntry({ file, code, pointer, message }) {
    const plain = message.replace(/`[^`]*`|\d+/g, (part) => (part.startsWith('`') ? part : '0'));
    return { file, code, pointer: withoutIndexes(pointer), message: plain.replace(/\s+/g, ' ').trim(), count: 1 };
}
/** Replaces list indexes by `*`. Status codes are the only numeric keys in OpenAPI. */
function withoutIndexes(pointer) {
    const segments = (0,json_pointer/* parsePointer */.vp)(pointer);
    return segments
        .map((segment, index) => (0,json_pointer/* pointerChild */.QX)('', /^\d+$/.test(segment) && segments[index - 1] !== 'responses' ? '*' : segment))
        .join('');
}
function toKey({ file, code, pointer, message }) {
    return [file, code, pointer, message].join('\n');
}
function toOwner(file, pointer) {
    const segments = (0,json_pointer/* parsePointer */.vp)(pointer);
    const depth = segments[0] === 'components' ? 2 : segments[0] === 'paths' || segments[0] === 'webhooks' ? 1 : undefined;
    const name = depth === undefined ? undefined : segments[depth];
    if (depth === undefined || name === undefined)
        return undefined;
    const own = segments.slice(0, depth + 1).reduce(json_pointer/* pointerChild */.QX, '');
    return { key: `${file}\n${own}`, file, pointer: own, kind: `${file}\n${segments.slice(0, depth).join('/')}`, name };
}
function groupByOwner(members) {
    const groups = new Map();
    for (const member of members) {
        const owner = toOwner(member.file, member.pointer);
        if (!owner)
            continue;
        const group = groups.get(owner.key) ?? { owner, members: [] };
        group.members.push(member);
        groups.set(owner.key, group);
    }
    return groups;
}
/** The problems of a named part, without its name. */
function toSignature(members, name) {
    const own = new RegExp(`(?<!\\w)${name.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')}(?!\\w)`, 'g');
    const lines = members.map((member) => {
        const { code, pointer, message } = toEntry(member);
        const depth = pointer.startsWith('/components/') ? 3 : 2;
        return [code, (0,json_pointer/* parsePointer */.vp)(pointer).slice(depth).join('/'), message.replace(own, '*')].join('\n');
    });
    return lines.sort().join('\n\n');
}
function byText(a, b) {
    const [left, right] = [`${a.code}\n${a.pointer}\n${a.message}`, `${b.code}\n${b.pointer}\n${b.message}`];
    return left < right ? -1 : left > right ? 1 : 0;
}
function toStored(folder, file) {
    return /^https?:/i.test(file) ? file : (0,relative_path/* relativePath */.iZ)(folder, file);
}
function fromStored(folder, file) {
    if (/^https?:/i.test(file))
        return file;
    return (0,relative_path/* joinPath */.uJ)(folder, file);
}

// EXTERNAL MODULE: ./build/js/diagnostics/diagnostic.js
var diagnostic = __webpack_require__(3122);
// EXTERNAL MODULE: ./build/js/source/limits.js
var limits = __webpack_require__(6368);
// EXTERNAL MODULE: ./build/js/source/source-file.js
var source_file = __webpack_require__(5904);
// EXTERNAL MODULE: ./build/js/update/to-load-document.js
var to_load_document = __webpack_require__(9546);
;// CONCATENATED MODULE: ./build/js/update/use-baseline.js






/** Reads a baseline and matches it with the diagnostics. An unusable baseline is an error. */
async function useBaseline(use, { files }) {
    const { path, findings, covers } = use;
    const result = await files.read(path, limits/* limitBounds */.rn['docs-config-size'].byDefault);
    const entries = result.kind === 'file' ? parseBaseline((0,source_file/* toSourceFile */.lV)(path, result.bytes).text, path) : undefined;
    const all = toBaseline(findings);
    const others = (entries ?? []).filter(({ file }) => !covers(file));
    const next = formatBaseline([...others, ...all], path);
    if (entries === undefined) {
        const { reason, hint } = describeUnusable(result);
        const message = `Cannot use the baseline \`${path}\`: ${reason}`;
        return { isKnown: () => false, findings: [{ code: 'baseline-unusable', message, file: path, pointer: '', hint }], next };
    }
    const exists = (file, pointer) => {
        const document = use.documents.get(file);
        // In a file that was not parsed, treat every location as existing.
        return document === undefined || (0,json_pointer/* valueAtPointer */.sZ)(document.parsed.value, pointer) !== undefined;
    };
    const { isKnown, knownCount, fixed } = matchBaseline(findings, entries, { covers, exists });
    return { isKnown, findings: [...reportKnown(path, knownCount), ...(use.reportsFixed ? reportFixed(path, fixed) : [])], next };
}
function describeUnusable(result) {
    const replace = 'Name another file, or add `--write-baseline` to your `openapi-pages check` command to replace this one';
    if (result.kind === 'file')
        return { reason: 'it is not a version 1 baseline file', hint: replace };
    const { reason, hint = replace } = (0,to_load_document/* toFailure */.w2)(result);
    if (result.kind !== 'missing')
        return { reason, hint };
    return { reason, hint: 'Add `--write-baseline` to your `openapi-pages check` command to create it' };
}
function reportKnown(path, count) {
    if (count === 0)
        return [];
    const message = `${(0,diagnostic/* formatCount */.B4)(count, 'known problem')} in the baseline`;
    return [{ code: 'baseline-known', message, file: path, pointer: '' }];
}
const namedFixCount = 3;
function reportFixed(path, fixed) {
    const count = fixed.reduce((sum, entry) => sum + entry.count, 0);
    if (count === 0)
        return [];
    const names = fixed.slice(0, namedFixCount).map(({ code, file }) => `\`${code}\` in \`${file}\``);
    const more = fixed.length > names.length ? ` and ${(0,diagnostic/* formatNumber */.ZV)(fixed.length - names.length)} more` : '';
    const message = `${(0,diagnostic/* formatCount */.B4)(count, 'problem')} in the baseline no longer ${count === 1 ? 'occurs' : 'occur'}: ${names.join(', ')}${more}`;
    const hint = 'Add `--write-baseline` to your `openapi-pages check` command to remove fixed problems from the baseline';
    return [{ code: 'baseline-fixed', message, file: path, pointer: '', hint }];
}


/***/ })

};
