//! The tables and views of a journal. The guide's page about campaigns explains them for users who query them.

/// The version of the tables. A journal of another version is refused.
pub(super) const VERSION: i64 = 2;

/// Marks a file as one of ours: `grmy`.
pub(super) const APPLICATION: i64 = 0x6772_6d79;

/// The tables and views.
pub(super) const TABLES: &str = "
CREATE TABLE campaign (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE subjects (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    program TEXT NOT NULL,
    oracle TEXT NOT NULL
);
CREATE TABLE shards (
    shard INTEGER NOT NULL,
    of INTEGER NOT NULL,
    done_through INTEGER NOT NULL,
    finished INTEGER NOT NULL,
    PRIMARY KEY (of, shard)
) WITHOUT ROWID;
CREATE TABLE tests (
    id INTEGER PRIMARY KEY,
    name TEXT,
    content BLOB NOT NULL,
    expect TEXT NOT NULL,
    byte INTEGER,
    line INTEGER,
    \"column\" INTEGER,
    target TEXT,
    mutation TEXT,
    covers INTEGER NOT NULL
);
CREATE TABLE verdict_names (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL
);
CREATE TABLE verdicts (
    subject INTEGER NOT NULL,
    test INTEGER NOT NULL,
    verdict INTEGER NOT NULL,
    response TEXT NOT NULL,
    ending TEXT NOT NULL,
    signature TEXT NOT NULL,
    line INTEGER,
    \"column\" INTEGER,
    micros INTEGER NOT NULL,
    PRIMARY KEY (subject, test)
) WITHOUT ROWID;
CREATE INDEX verdicts_found ON verdicts (subject, verdict, ending, signature, test) WHERE verdict <> 0;
CREATE TABLE totals (
    subject INTEGER NOT NULL,
    verdict INTEGER NOT NULL,
    tests INTEGER NOT NULL,
    PRIMARY KEY (subject, verdict)
) WITHOUT ROWID;
CREATE TABLE outputs (
    subject INTEGER NOT NULL,
    test INTEGER NOT NULL,
    stdout BLOB NOT NULL,
    stderr BLOB NOT NULL,
    is_cut INTEGER NOT NULL,
    PRIMARY KEY (subject, test)
) WITHOUT ROWID;
CREATE TABLE groups (
    id INTEGER PRIMARY KEY,
    subject INTEGER NOT NULL,
    verdict INTEGER NOT NULL,
    ending TEXT NOT NULL,
    signature TEXT NOT NULL,
    reason TEXT NOT NULL,
    smallest INTEGER NOT NULL,
    tests INTEGER NOT NULL
);
CREATE TABLE members (
    \"group\" INTEGER NOT NULL,
    test INTEGER NOT NULL,
    PRIMARY KEY (\"group\", test)
) WITHOUT ROWID;
CREATE VIEW findings AS
    SELECT v.test, s.name AS subject, n.name AS verdict, v.response, v.ending, v.signature, v.line, v.\"column\",
        t.name, t.expect, CAST(t.content AS TEXT) AS text, CAST(o.stdout AS TEXT) AS stdout,
        CAST(o.stderr AS TEXT) AS stderr
    FROM verdicts v JOIN tests t ON t.id = v.test JOIN subjects s ON s.id = v.subject
        JOIN verdict_names n ON n.id = v.verdict
        LEFT JOIN outputs o ON o.subject = v.subject AND o.test = v.test
    WHERE v.verdict <> 0;
CREATE VIEW verdict_counts AS
    SELECT s.name AS subject, n.name AS verdict, coalesce(c.tests, 0) AS tests
    FROM subjects s CROSS JOIN verdict_names n
        LEFT JOIN totals c ON c.subject = s.id AND c.verdict = n.id
    ORDER BY s.id, n.id;
CREATE VIEW finding_groups AS
    SELECT g.id, s.name AS subject, n.name AS verdict, g.ending, g.signature, g.reason, g.tests,
        g.smallest, CAST(t.content AS TEXT) AS smallest_text
    FROM groups g JOIN subjects s ON s.id = g.subject JOIN verdict_names n ON n.id = g.verdict
        JOIN tests t ON t.id = g.smallest
    ORDER BY g.id;
CREATE VIEW disagreements AS
    SELECT t.id AS test, CAST(t.content AS TEXT) AS text, t.expect,
        group_concat(s.name || ': ' || v.response, ', ') AS responses
    FROM verdicts v JOIN tests t ON t.id = v.test JOIN subjects s ON s.id = v.subject
    GROUP BY t.id HAVING count(DISTINCT v.response) > 1;
";
