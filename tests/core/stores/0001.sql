-- A store as schema 0001 holds it; full-text rows are left out, as an older analyser's would be made anew.
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
CREATE TABLE memory (
        place INTEGER NOT NULL PRIMARY KEY,
        id TEXT NOT NULL,
        "key" TEXT NOT NULL,
        level INTEGER NOT NULL,
        content TEXT NOT NULL,
        tags TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        saved_at INTEGER NOT NULL,
        saved_by TEXT NOT NULL,
        expires_at INTEGER,
        ended_at INTEGER,
        ended_by TEXT,
        end_reason TEXT,
        salt BLOB NOT NULL,
        CONSTRAINT place_of_level CHECK (level BETWEEN 1 AND 4 AND place >> 48 = level),
        CONSTRAINT ended_for_a_reason CHECK ((ended_at IS NULL) = (end_reason IS NULL))
    ) STRICT;
CREATE UNIQUE INDEX ux_memory_live_key ON memory (level, "key") WHERE ended_at IS NULL;
CREATE INDEX ix_memory_live_saved ON memory (level, saved_at, "key" DESC) WHERE ended_at IS NULL;
CREATE INDEX ix_memory_ended_key ON memory (level, "key") WHERE ended_at IS NOT NULL;
CREATE INDEX ix_memory_tombstone ON memory (level, ended_at, "key" DESC) WHERE end_reason = 'deleted';
CREATE INDEX ix_memory_expiring ON memory (level, expires_at)
    WHERE ended_at IS NULL AND expires_at IS NOT NULL;
CREATE TABLE memory_tag (
        level INTEGER NOT NULL,
        tag TEXT NOT NULL,
        saved_at INTEGER NOT NULL,
        "key" TEXT NOT NULL,
        place INTEGER NOT NULL,
        position INTEGER NOT NULL,
        PRIMARY KEY (level, tag, saved_at, "key" DESC)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE agent_session (
        id TEXT NOT NULL PRIMARY KEY,
        label TEXT,
        kind TEXT NOT NULL,
        taint INTEGER NOT NULL,
        started_at INTEGER NOT NULL,
        ended_at INTEGER,
        CONSTRAINT taint_is_a_level CHECK (taint BETWEEN 1 AND 4)
    ) STRICT;
CREATE UNIQUE INDEX ux_agent_session_label ON agent_session (label) WHERE ended_at IS NULL;
CREATE TABLE audit_event (
        level INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        at INTEGER NOT NULL,
        session TEXT NOT NULL,
        user TEXT NOT NULL,
        action TEXT NOT NULL,
        "key" TEXT,
        outcome TEXT NOT NULL,
        detail TEXT,
        detail_salt BLOB,
        detail_hash BLOB,
        content_hash BLOB,
        source TEXT,
        prev_hash BLOB NOT NULL,
        hash BLOB NOT NULL,
        PRIMARY KEY (level, seq)
    ) STRICT, WITHOUT ROWID;
CREATE INDEX ix_audit_event_at ON audit_event (level, at, seq);
CREATE UNIQUE INDEX ux_audit_event_source ON audit_event (level, source) WHERE source IS NOT NULL;
CREATE TABLE store_meta (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE VIRTUAL TABLE memory_fts_public USING fts5(
    "key", content, tags,
    content='', tokenize='porter unicode61 remove_diacritics 2', prefix='2'
);
CREATE VIRTUAL TABLE memory_fts_internal USING fts5(
    "key", content, tags,
    content='', tokenize='porter unicode61 remove_diacritics 2', prefix='2'
);
CREATE VIRTUAL TABLE memory_fts_confidential USING fts5(
    "key", content, tags,
    content='', tokenize='porter unicode61 remove_diacritics 2', prefix='2'
);
CREATE VIRTUAL TABLE memory_fts_restricted USING fts5(
    "key", content, tags,
    content='', tokenize='porter unicode61 remove_diacritics 2', prefix='2'
);
INSERT INTO alembic_version ("version_num") VALUES ('0001');
INSERT INTO store_meta ("name", "value") VALUES ('analyser', 'an older one');
INSERT INTO agent_session ("id", "label", "kind", "taint", "started_at", "ended_at") VALUES ('public-0001', 'chat', 'agent', 2, 1772442000000000, NULL);
INSERT INTO agent_session ("id", "label", "kind", "taint", "started_at", "ended_at") VALUES ('restricted-0001', NULL, 'agent', 4, 1772442000000000, NULL);
INSERT INTO memory ("place", "id", "key", "level", "content", "tags", "created_at", "saved_at", "saved_by", "expires_at", "ended_at", "ended_by", "end_reason", "salt") VALUES (281474976710657, 'public-0002', 'user-name', 1, 'Sam Example', '["person"]', 1772442000000000, 1772442000000000, 'public-0001', NULL, 1772442001000000, 'public-0001', 'replaced', X'01000000000000000000000000000002');
INSERT INTO memory ("place", "id", "key", "level", "content", "tags", "created_at", "saved_at", "saved_by", "expires_at", "ended_at", "ended_by", "end_reason", "salt") VALUES (281474976710658, 'public-0003', 'user-name', 1, 'Sam B. Example', '["person","name"]', 1772442000000000, 1772442001000000, 'public-0001', NULL, NULL, NULL, NULL, X'01000000000000000000000000000003');
INSERT INTO memory ("place", "id", "key", "level", "content", "tags", "created_at", "saved_at", "saved_by", "expires_at", "ended_at", "ended_by", "end_reason", "salt") VALUES (281474976710659, 'public-0004', 'deploy-day', 1, 'Deployments happen on Thursdays, O''Brien says', '["rule"]', 1772442003000000, 1772442003000000, 'public-0001', NULL, NULL, NULL, NULL, X'01000000000000000000000000000004');
INSERT INTO memory ("place", "id", "key", "level", "content", "tags", "created_at", "saved_at", "saved_by", "expires_at", "ended_at", "ended_by", "end_reason", "salt") VALUES (281474976710660, 'public-0005', 'old-plan', 1, '東京 office by 2025', '[]', 1772442004000000, 1772442004000000, 'public-0001', NULL, 1772442005000000, 'public-0001', 'deleted', X'01000000000000000000000000000005');
INSERT INTO memory ("place", "id", "key", "level", "content", "tags", "created_at", "saved_at", "saved_by", "expires_at", "ended_at", "ended_by", "end_reason", "salt") VALUES (281474976710661, 'public-0006', 'code', 1, 'valid for a while', '[]', 1772442006000000, 1772442006000000, 'public-0001', 2636442006000000, NULL, NULL, NULL, X'01000000000000000000000000000006');
INSERT INTO memory ("place", "id", "key", "level", "content", "tags", "created_at", "saved_at", "saved_by", "expires_at", "ended_at", "ended_by", "end_reason", "salt") VALUES (562949953421313, 'internal-0001', 'deploy-day', 2, 'Moved to Fridays', '["rule"]', 1772442007000000, 1772442007000000, 'public-0001', NULL, NULL, NULL, NULL, X'02000000000000000000000000000002');
INSERT INTO memory ("place", "id", "key", "level", "content", "tags", "created_at", "saved_at", "saved_by", "expires_at", "ended_at", "ended_by", "end_reason", "salt") VALUES (1125899906842625, 'restricted-0002', 'user-name', 4, 'Samantha Example', '["person"]', 1772442002000000, 1772442002000000, 'restricted-0001', NULL, NULL, NULL, NULL, X'04000000000000000000000000000002');
INSERT INTO memory_tag ("level", "tag", "saved_at", "key", "place", "position") VALUES (1, 'name', 1772442001000000, 'user-name', 281474976710658, 1);
INSERT INTO memory_tag ("level", "tag", "saved_at", "key", "place", "position") VALUES (1, 'person', 1772442001000000, 'user-name', 281474976710658, 0);
INSERT INTO memory_tag ("level", "tag", "saved_at", "key", "place", "position") VALUES (1, 'rule', 1772442003000000, 'deploy-day', 281474976710659, 0);
INSERT INTO memory_tag ("level", "tag", "saved_at", "key", "place", "position") VALUES (2, 'rule', 1772442007000000, 'deploy-day', 562949953421313, 0);
INSERT INTO memory_tag ("level", "tag", "saved_at", "key", "place", "position") VALUES (4, 'person', 1772442002000000, 'user-name', 1125899906842625, 0);
INSERT INTO audit_event ("level", "seq", "at", "session", "user", "action", "key", "outcome", "detail", "detail_salt", "detail_hash", "content_hash", "source", "prev_hash", "hash") VALUES (1, 1, 1772442000000000, 'public-0001', 'sam', 'session_start', NULL, 'allowed', '{"kind":"agent","label":"chat"}', X'01000000000000000000000000000001', X'AFEFD3D1579CA23BB352E36A636038049A25D1A896D2384B3ED388F2CD9B3439', NULL, NULL, X'EF7A4BDAFCC8C3BDA625845DFBC8641FF3ECE068AF1BA2D6FD9F1CC8F9C64469', X'E42949A13C3D596F2BE04A9229C8F91A88DCE6CE8FFB85DEFD6876F1507D1518');
INSERT INTO audit_event ("level", "seq", "at", "session", "user", "action", "key", "outcome", "detail", "detail_salt", "detail_hash", "content_hash", "source", "prev_hash", "hash") VALUES (1, 2, 1772442000000000, 'public-0001', 'sam', 'memory_save', 'user-name', 'allowed', NULL, NULL, NULL, X'7F4C23AB2031058C3CB8589A2658C59AEB27488EBB7A86CD173FC69ADD9C5230', NULL, X'E42949A13C3D596F2BE04A9229C8F91A88DCE6CE8FFB85DEFD6876F1507D1518', X'FD62350586AFD332F4FBACD2F7AE2C4A41BA7C4BB4B7B5CDD06FD11DF0105DFA');
INSERT INTO audit_event ("level", "seq", "at", "session", "user", "action", "key", "outcome", "detail", "detail_salt", "detail_hash", "content_hash", "source", "prev_hash", "hash") VALUES (1, 3, 1772442001000000, 'public-0001', 'sam', 'memory_save', 'user-name', 'allowed', NULL, NULL, NULL, X'5F7670188404BEF0E1277813A7C45B8C574494B6E909AF760ED4540E5F45ECA5', NULL, X'FD62350586AFD332F4FBACD2F7AE2C4A41BA7C4BB4B7B5CDD06FD11DF0105DFA', X'86504BD3899CC166FDB9D15E4A541A465AE26FFEA95BB7F0F6446ADBD5D0141F');
INSERT INTO audit_event ("level", "seq", "at", "session", "user", "action", "key", "outcome", "detail", "detail_salt", "detail_hash", "content_hash", "source", "prev_hash", "hash") VALUES (1, 4, 1772442003000000, 'public-0001', 'sam', 'memory_save', 'deploy-day', 'allowed', NULL, NULL, NULL, X'E19AB95BD2447FD4D51AB72037F2223BEF3E0C13BCAC109FC82C4066A5D2CF16', NULL, X'86504BD3899CC166FDB9D15E4A541A465AE26FFEA95BB7F0F6446ADBD5D0141F', X'CBCB26588DCFDD9FF9A434D91D17187450F4EFBC6AD743550821665C6DBAC958');
INSERT INTO audit_event ("level", "seq", "at", "session", "user", "action", "key", "outcome", "detail", "detail_salt", "detail_hash", "content_hash", "source", "prev_hash", "hash") VALUES (1, 5, 1772442004000000, 'public-0001', 'sam', 'memory_save', 'old-plan', 'allowed', NULL, NULL, NULL, X'3E529087D523CC71F0CB095E7B31870A5E0008F40B745BA05029007C3044E757', NULL, X'CBCB26588DCFDD9FF9A434D91D17187450F4EFBC6AD743550821665C6DBAC958', X'8378491A5671B1CF69417319100413439736097E841D1D14A132734732895947');
INSERT INTO audit_event ("level", "seq", "at", "session", "user", "action", "key", "outcome", "detail", "detail_salt", "detail_hash", "content_hash", "source", "prev_hash", "hash") VALUES (1, 6, 1772442005000000, 'public-0001', 'sam', 'memory_delete', 'old-plan', 'allowed', NULL, NULL, NULL, NULL, NULL, X'8378491A5671B1CF69417319100413439736097E841D1D14A132734732895947', X'492D3FABB8F999193E81FB6B0A6B346CDC1AF76EAD4C7E78FEBF808D2A71FC76');
INSERT INTO audit_event ("level", "seq", "at", "session", "user", "action", "key", "outcome", "detail", "detail_salt", "detail_hash", "content_hash", "source", "prev_hash", "hash") VALUES (1, 7, 1772442006000000, 'public-0001', 'sam', 'memory_save', 'code', 'allowed', NULL, NULL, NULL, X'AE45361C90643FAE73723701262D9A635C5DC858EA8318F19A178D7A5C923547', NULL, X'492D3FABB8F999193E81FB6B0A6B346CDC1AF76EAD4C7E78FEBF808D2A71FC76', X'C2A50EA66B8E9DD5A507D6C076E086AA63BD1C6FEB9C4DA41F6258C0C34F3E9E');
INSERT INTO audit_event ("level", "seq", "at", "session", "user", "action", "key", "outcome", "detail", "detail_salt", "detail_hash", "content_hash", "source", "prev_hash", "hash") VALUES (1, 8, 1772442006000000, 'public-0001', 'sam', 'memory_search', NULL, 'allowed', '{"query":"deployment","results":1}', X'01000000000000000000000000000007', X'2872C4C8AC093E5C640DC0A6404D76D57BF5A1D6CC00B6D4328192F53755B2AC', NULL, NULL, X'C2A50EA66B8E9DD5A507D6C076E086AA63BD1C6FEB9C4DA41F6258C0C34F3E9E', X'714737129A69F94CA3C4F00583B6A40375CC653856888F2748B769D3E3A91EC6');
INSERT INTO audit_event ("level", "seq", "at", "session", "user", "action", "key", "outcome", "detail", "detail_salt", "detail_hash", "content_hash", "source", "prev_hash", "hash") VALUES (1, 9, 1772442006000000, 'public-0001', 'sam', 'memory_get', 'none', 'missed', NULL, NULL, NULL, NULL, NULL, X'714737129A69F94CA3C4F00583B6A40375CC653856888F2748B769D3E3A91EC6', X'47118F3B058EF4ED369714C483E477E37F7E767BEFEC3AAFF94947A570683AE7');
INSERT INTO audit_event ("level", "seq", "at", "session", "user", "action", "key", "outcome", "detail", "detail_salt", "detail_hash", "content_hash", "source", "prev_hash", "hash") VALUES (2, 1, 1772442006000000, 'public-0001', 'sam', 'session_escalate', NULL, 'allowed', '{"from":"PUBLIC","to":"INTERNAL"}', X'02000000000000000000000000000001', X'21D17CC9100CFBE2D161FDE26EDEEAD0C61F831CE2E9CE64646AB57004BCDAD1', NULL, NULL, X'ACF924C6199A8C03A388090948B125F64B8911909835483FF2C09C60A4AE25B6', X'52ECCC12ABBB9DDC110BDA4EC1D785AB050B4D45DE0B38611E7DD8CFD5E3EE1A');
INSERT INTO audit_event ("level", "seq", "at", "session", "user", "action", "key", "outcome", "detail", "detail_salt", "detail_hash", "content_hash", "source", "prev_hash", "hash") VALUES (2, 2, 1772442007000000, 'public-0001', 'sam', 'memory_save', 'deploy-day', 'allowed', NULL, NULL, NULL, X'BDE67633FD4497C682A8599D59C168D81D5DDB24D6F545C3912FFB2136F9D396', NULL, X'52ECCC12ABBB9DDC110BDA4EC1D785AB050B4D45DE0B38611E7DD8CFD5E3EE1A', X'2ACD825FF4F3CE5835E7BFB5B548A7B3637BA9C3F8DC0153102CE409D6208DC4');
INSERT INTO audit_event ("level", "seq", "at", "session", "user", "action", "key", "outcome", "detail", "detail_salt", "detail_hash", "content_hash", "source", "prev_hash", "hash") VALUES (4, 1, 1772442000000000, 'restricted-0001', 'sam', 'session_start', NULL, 'allowed', '{"kind":"agent","label":null}', X'04000000000000000000000000000001', X'553BCDEB6527F425A3D6FA15D45F08B49B20B5E9C96C4DCF5816CD6F2F5A13E6', NULL, NULL, X'1611E626CEAFF319AF7C7957D257E7A1F046BC4C446C189F48C3FEF6019CE1BA', X'5D217ED1E578093D1E8842B3CB32767A93313B80D13BF27491C1F30AA4A77573');
INSERT INTO audit_event ("level", "seq", "at", "session", "user", "action", "key", "outcome", "detail", "detail_salt", "detail_hash", "content_hash", "source", "prev_hash", "hash") VALUES (4, 2, 1772442002000000, 'restricted-0001', 'sam', 'memory_save', 'user-name', 'allowed', NULL, NULL, NULL, X'8A1F12956837C67DD74053FF952BDF50FDB2FECDD1E75ABCCE1046E4CF55FECE', NULL, X'5D217ED1E578093D1E8842B3CB32767A93313B80D13BF27491C1F30AA4A77573', X'831261F78357D5C355AD649EC47C9B538AE8E832105AE3229284EB9CB44CE955');
