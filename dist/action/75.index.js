export const id = 75;
export const ids = [75];
export const modules = {

/***/ 3075:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   findAffected: () => (/* binding */ findAffected)
/* harmony export */ });
/* harmony import */ var _source_is_object_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(522);
/* harmony import */ var _source_json_pointer_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(8650);
/* harmony import */ var _collect_operations_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7338);



/**
 * Finds the operations, webhooks and schemas that errors affect.
 *
 * An error affects an operation if it is in the operation, in the shared part of its path item, in a security scheme that it uses, or in
 * anything these reach by `$ref`. It also affects an operation that it hides: a method with a value that is not an object, or any method
 * of a path item that has an error itself. Errors in other parts of the entry document affect the whole document, and so do unparsable
 * files with unknown contents.
 */
function findAffected({ description, follow, ...check }, errors) {
    const [first] = errors;
    const entry = description && check.documents.get(description.entryPath);
    if (first === undefined)
        return { kind: 'parts', operation: none, webhook: none, schema: none, first };
    if (!description || !entry || !follow)
        return { kind: 'document', error: first };
    const root = { file: description.entryPath, pointer: '', value: entry.parsed.value };
    const whole = errors.find((error) => concernsDocument(error, root.file, check));
    if (whole)
        return { kind: 'document', error: whole };
    const findError = toFindError(errors, { root, follow, documents: check.documents });
    const collect = (field) => {
        const byName = new Map();
        for (const item of (0,_collect_operations_js__WEBPACK_IMPORTED_MODULE_0__/* .collectPathItems */ .OF)(root, field, follow))
            byName.set(item.name, findInPathItem(item, root, follow, findError));
        return byName;
    };
    const paths = collect('paths');
    const webhooks = collect('webhooks');
    const schemas = follow.end((0,_collect_operations_js__WEBPACK_IMPORTED_MODULE_0__/* .childPlace */ .IF)((0,_collect_operations_js__WEBPACK_IMPORTED_MODULE_0__/* .childPlace */ .IF)(root, 'components'), 'schemas'));
    return {
        kind: 'parts',
        operation: (method, pathTemplate) => {
            const item = paths.get(pathTemplate);
            return item?.shared ?? item?.byMethod.get(method.toUpperCase());
        },
        webhook: (name) => {
            const item = webhooks.get(name);
            return item?.shared ?? item?.byMethod.values().next().value;
        },
        schema: (name) => findError([(0,_collect_operations_js__WEBPACK_IMPORTED_MODULE_0__/* .childPlace */ .IF)(schemas, name)]),
        first,
    };
}
function none() {
    return undefined;
}
/** Whether an error does not belong to a single part of the description. */
function concernsDocument({ code, file, pointer, offsets }, entryFile, { documents, sources }) {
    // For example in the configuration file.
    if (code === 'too-complex' || !sources.has(file))
        return true;
    if (file !== entryFile)
        return false;
    const [section, name, inner] = (0,_source_json_pointer_js__WEBPACK_IMPORTED_MODULE_1__/* .parsePointer */ .vp)(pointer);
    if (offsets !== undefined || name === undefined || documents.get(file)?.parsed.value === undefined)
        return true;
    if (section === 'paths')
        return !name.startsWith('/');
    if (section === 'components')
        return inner === undefined;
    return section !== 'webhooks' && section !== 'security';
}
const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query']);
function findInPathItem(item, root, follow, findError) {
    const byMethod = new Map();
    let shared;
    for (const place of item.places) {
        shared ??= findError.exactly(place) ?? findError.unresolved(place);
        if (!(0,_source_is_object_js__WEBPACK_IMPORTED_MODULE_2__/* .isObject */ .G)(place.value))
            continue;
        for (const key of Object.keys(place.value)) {
            const child = (0,_collect_operations_js__WEBPACK_IMPORTED_MODULE_0__/* .childPlace */ .IF)(place, key);
            if (methods.has(key)) {
                const error = findError.exactly(child);
                if (error)
                    byMethod.set(key.toUpperCase(), error);
            }
            else if (key !== 'additionalOperations')
                shared ??= findError([child]);
            else {
                shared ??= findError.exactly(child);
                for (const method of (0,_source_is_object_js__WEBPACK_IMPORTED_MODULE_2__/* .isObject */ .G)(child.value) ? Object.keys(child.value) : []) {
                    const error = findError.exactly((0,_collect_operations_js__WEBPACK_IMPORTED_MODULE_0__/* .childPlace */ .IF)(child, method));
                    if (error)
                        byMethod.set(method.toUpperCase(), error);
                }
            }
        }
    }
    for (const collected of (0,_collect_operations_js__WEBPACK_IMPORTED_MODULE_0__/* .collectOperations */ .zG)(item, follow)) {
        const error = findError([collected.operation, ...listSecurity(collected, root, follow)]);
        if (error)
            byMethod.set(collected.fields.method.toUpperCase(), error);
    }
    return { shared, byMethod };
}
/** The security schemes that an operation uses, with the default of the document if it has no list. */
function listSecurity({ operation }, root, follow) {
    const own = (0,_collect_operations_js__WEBPACK_IMPORTED_MODULE_0__/* .childPlace */ .IF)(operation, 'security');
    const security = own.value === undefined ? (0,_collect_operations_js__WEBPACK_IMPORTED_MODULE_0__/* .childPlace */ .IF)(root, 'security') : own;
    const schemes = follow.end((0,_collect_operations_js__WEBPACK_IMPORTED_MODULE_0__/* .childPlace */ .IF)((0,_collect_operations_js__WEBPACK_IMPORTED_MODULE_0__/* .childPlace */ .IF)(root, 'components'), 'securitySchemes'));
    const requirements = Array.isArray(security.value) ? security.value : [];
    const names = requirements.flatMap((requirement) => ((0,_source_is_object_js__WEBPACK_IMPORTED_MODULE_2__/* .isObject */ .G)(requirement) ? Object.keys(requirement) : []));
    return [security, ...names.map((name) => (0,_collect_operations_js__WEBPACK_IMPORTED_MODULE_0__/* .childPlace */ .IF)(schemes, name))];
}
function toFindError(errors, { follow, documents }) {
    const at = new Map();
    /** By every location that contains an error. */
    const within = new Map();
    for (const error of errors) {
        const keep = (map, pointer) => {
            const key = toKey(error.file, pointer);
            if (!map.has(key))
                map.set(key, error);
        };
        keep(at, error.pointer);
        for (let pointer = error.pointer;; pointer = (0,_source_json_pointer_js__WEBPACK_IMPORTED_MODULE_1__/* .parentPointer */ .Yg)(pointer)) {
            keep(within, pointer);
            if (pointer === '')
                break;
        }
    }
    const broken = errors.find(({ file }) => documents.get(file)?.parsed.value === undefined);
    const unresolved = (place) => (isReference(place.value) && !follow.next(place) ? broken : undefined);
    const around = (file, pointer) => {
        for (let above = pointer;; above = (0,_source_json_pointer_js__WEBPACK_IMPORTED_MODULE_1__/* .parentPointer */ .Yg)(above)) {
            const error = at.get(toKey(file, above));
            if (error || above === '')
                return error;
        }
    };
    const reached = new Map();
    const read = (place) => {
        const key = toKey(place.file, place.pointer);
        let node = reached.get(key);
        if (!node) {
            const targets = [];
            let error = within.get(key) ?? around(place.file, place.pointer);
            if (!error) {
                for (const reference of listReferences(place)) {
                    const target = follow.next(reference);
                    if (target)
                        targets.push(target);
                    else
                        error ??= unresolved(reference);
                }
            }
            node = { error, targets };
            reached.set(key, node);
        }
        return node;
    };
    /** Results for a location with everything it reaches. */
    const settled = new Map();
    const find = (places) => {
        const seen = new Set();
        const open = [...places];
        let found;
        for (let place = open.pop(); place && !found; place = open.pop()) {
            const key = toKey(place.file, place.pointer);
            if (seen.has(key))
                continue;
            seen.add(key);
            if (settled.has(key)) {
                found = settled.get(key);
                continue;
            }
            const { error, targets } = read(place);
            found = error;
            open.push(...targets);
        }
        // If no error was found, this applies to every location on the way.
        if (!found)
            for (const key of seen)
                settled.set(key, undefined);
        else
            for (const { file, pointer } of places.length === 1 ? places : [])
                settled.set(toKey(file, pointer), found);
        return found;
    };
    return Object.assign(find, { exactly: ({ file, pointer }) => at.get(toKey(file, pointer)), unresolved });
}
/** Lists every `$ref` in a value as a location for `follow`. */
function listReferences(place) {
    const found = [];
    const open = [place];
    for (let next = open.pop(); next; next = open.pop()) {
        const { file, pointer, value } = next;
        if (Array.isArray(value))
            for (const index of value.keys())
                open.push((0,_collect_operations_js__WEBPACK_IMPORTED_MODULE_0__/* .childPlace */ .IF)(next, index));
        if (!(0,_source_is_object_js__WEBPACK_IMPORTED_MODULE_2__/* .isObject */ .G)(value))
            continue;
        if (isReference(value))
            found.push(next);
        const dynamic = value['$dynamicRef'];
        if (typeof dynamic === 'string')
            found.push({ file, pointer, value: { $ref: dynamic } });
        for (const key of Object.keys(value))
            open.push({ file, pointer: (0,_source_json_pointer_js__WEBPACK_IMPORTED_MODULE_1__/* .pointerChild */ .QX)(pointer, key), value: value[key] });
    }
    return found;
}
function isReference(value) {
    return (0,_source_is_object_js__WEBPACK_IMPORTED_MODULE_2__/* .isObject */ .G)(value) && typeof value['$ref'] === 'string';
}
function toKey(file, pointer) {
    return `${file}\n${pointer}`;
}


/***/ })

};
